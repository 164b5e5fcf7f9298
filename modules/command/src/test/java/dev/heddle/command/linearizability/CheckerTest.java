package dev.heddle.command.linearizability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CheckerTest {

    private static Operation operation(int client, String words, String reply, long invoked, long returned) {
        return new Operation(client, List.of(words.split(" ")), reply, invoked, returned);
    }

    @Test
    void anEmptyHistoryIsLinearizable() {
        assertThat(Checker.isLinearizable(List.of(), Model.EMPTY)).isTrue();
    }

    @Test
    void overlappingOperationsMayTakeEffectInEitherOrder() {
        Operation set = operation(0, "SET a 1", "+OK\r\n", 0, 10);
        assertThat(Checker.isLinearizable(List.of(set, operation(1, "GET a", "$-1\r\n", 5, 20)), Model.EMPTY))
                .isTrue();
        assertThat(Checker.isLinearizable(List.of(set, operation(1, "GET a", "$1\r\n1\r\n", 5, 20)), Model.EMPTY))
                .isTrue();
    }

    @Test
    void aReadAfterTheWriteHasReturnedMustSeeIt() {
        Operation set = operation(0, "SET a 1", "+OK\r\n", 0, 10);
        assertThat(Checker.isLinearizable(List.of(set, operation(1, "GET a", "$-1\r\n", 11, 20)), Model.EMPTY))
                .isFalse();
    }

    @Test
    void twoReadersMayNotSeeTwoWritesInDifferentOrder() {
        List<Operation> history = List.of(
                operation(0, "SET a 1", "+OK\r\n", 0, 100),
                operation(1, "SET a 2", "+OK\r\n", 0, 100),
                operation(2, "GET a", "$1\r\n1\r\n", 10, 20),
                operation(2, "GET a", "$1\r\n2\r\n", 30, 40),
                operation(3, "GET a", "$1\r\n2\r\n", 10, 20),
                operation(3, "GET a", "$1\r\n1\r\n", 30, 40));
        assertThat(Checker.isLinearizable(history, Model.EMPTY)).isFalse();
        assertThat(Checker.isLinearizable(history.subList(0, 4), Model.EMPTY)).isTrue();
    }

    @Test
    void aLostUpdateIsNoticed() {
        List<Operation> history =
                List.of(operation(0, "INCR a", ":1\r\n", 0, 10), operation(1, "INCR a", ":1\r\n", 0, 10));
        assertThat(Checker.isLinearizable(history, Model.EMPTY)).isFalse();
    }

    @Test
    void halfOfAWriteToTwoKeysIsNoticed() {
        List<Operation> history = List.of(
                operation(0, "T.MSET a 1 b 1", "+OK\r\n", 0, 100),
                operation(1, "T.MGET a b", "*2\r\n$1\r\n1\r\n$-1\r\n", 10, 20));
        assertThat(Checker.isLinearizable(history, Model.EMPTY)).isFalse();
    }

    @Test
    void manyOverlappingOperationsAreDecidedQuickly() {
        List<Operation> history = new java.util.ArrayList<>();
        for (int i = 0; i < 40; i++) {
            history.add(operation(i, "INCR a", ":" + (40 - i) + "\r\n", 0, 1000));
        }
        assertThat(Checker.isLinearizable(history, Model.EMPTY)).isTrue();
        history.set(0, operation(0, "INCR a", ":41\r\n", 0, 1000));
        assertThat(Checker.isLinearizable(history, Model.EMPTY)).isFalse();
    }
}

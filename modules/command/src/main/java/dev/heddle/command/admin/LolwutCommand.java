package dev.heddle.command.admin;

import static dev.heddle.command.Arity.atLeast;
import static dev.heddle.command.Flag.FAST;
import static dev.heddle.command.Group.SERVER;

import dev.heddle.command.Call;
import dev.heddle.command.CommandException;
import dev.heddle.command.CommandTable;
import dev.heddle.command.ServerInfo;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** LOLWUT: a piece of cloth. Stateless. */
public final class LolwutCommand {

    /*
     * What a loom does: each warp thread runs through the heddle of one shaft (the threading), each pedal lifts some shafts (the
     * tie-up), and for each weft thread one pedal is trodden (the treadling). Where a lifted warp thread crosses the weft it lies on
     * top. Few shafts, repeated and mirrored, give all the patterns of a weaver's book; here the seed chooses.
     */

    private static final int SHAFTS = 4;
    private static final int WIDTH = 64;
    private static final int HEIGHT = 16;

    private LolwutCommand() {}

    public static void declare(CommandTable.Builder t) {
        t.read("LOLWUT", atLeast(0), LolwutCommand::lolwut, FAST)
                .docs(SERVER, "5.0.0", "", "[VERSION version] [seed]", "Weaves a piece of cloth.");
    }

    /** {@code LOLWUT [VERSION version] [seed]} */
    private static void lolwut(Call call) {
        int at = 1;
        if (call.argc() >= 3 && call.is(1, "VERSION")) {
            call.longArg(2);
            at = 3;
        }
        if (call.argc() > at + 1) {
            throw CommandException.SYNTAX;
        }
        long seed = call.argc() > at ? call.longArg(at) : call.engine().random().nextInt(1_000_000);
        String text = cloth(new Random(seed)) + "\nHeddle ver. " + ServerInfo.version() + ", Redis ver. "
                + ServerInfo.REDIS_VERSION + ", seed " + seed + "\n";
        call.reply().verbatim("txt", text.getBytes(StandardCharsets.UTF_8));
    }

    private static String cloth(Random random) {
        boolean[][] tieUp = tieUp(random);
        int[] threading = thread(WIDTH, random);
        int[] treadling = thread(HEIGHT, random);
        StringBuilder cloth = new StringBuilder();
        for (int row = 0; row < HEIGHT; row++) {
            for (int column = 0; column < WIDTH; column++) {
                cloth.append(tieUp[treadling[row]][threading[column]] ? '\u2588' : '\u2591');
            }
            cloth.append('\n');
        }
        return cloth.toString();
    }

    /** Each pedal lifts two neighbouring shafts, and sometimes a third: cloth in which one side never lifts falls apart. */
    private static boolean[][] tieUp(Random random) {
        boolean[][] tieUp = new boolean[SHAFTS][SHAFTS];
        for (int pedal = 0; pedal < SHAFTS; pedal++) {
            tieUp[pedal][pedal] = true;
            tieUp[pedal][(pedal + 1) % SHAFTS] = true;
        }
        tieUp[random.nextInt(SHAFTS)][random.nextInt(SHAFTS)] ^= random.nextBoolean();
        return tieUp;
    }

    /** Shafts one after the other, straight, turning at points, or in blocks, mirrored at the middle. */
    private static int[] thread(int length, Random random) {
        int[] shafts = new int[length];
        int turn = 4 << random.nextInt(3);
        int block = 1 + random.nextInt(2);
        int shaft = random.nextInt(SHAFTS);
        int step = 1;
        for (int i = 0; i < (length + 1) / 2; i++) {
            shafts[i] = shaft;
            shafts[length - 1 - i] = shaft;
            if (i % turn == turn - 1) {
                step = -step;
            }
            if (i % block == block - 1) {
                shaft = Math.floorMod(shaft + step, SHAFTS);
            }
        }
        return shafts;
    }
}

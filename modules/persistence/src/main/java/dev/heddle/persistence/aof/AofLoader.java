package dev.heddle.persistence.aof;

import dev.heddle.command.Engine;
import dev.heddle.command.Session;
import dev.heddle.persistence.aof.AofManifest.Part;
import dev.heddle.resp.ProtocolException;
import dev.heddle.resp.ProtocolLimits;
import dev.heddle.resp.Request;
import dev.heddle.resp.RequestReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats the commands of the append-only files. Confined to the thread that starts the server.
 */
final class AofLoader {

    /*
     * Records go through the same reader and dispatcher as commands from clients, in a session that nothing refuses and for which
     * no key expires (see Session.repeats). The reader also takes what a file of ours never has: inline commands, blank lines,
     * numbers with leading zeros. A record is therefore only believed if it takes exactly as many bytes as its arguments do in the
     * usual form; everything else ends the fast path, and RecordScanner tells what it is.
     *
     * A file may end in the middle of a record, or of a transaction. If it is the last one, what is incomplete is cut off, so that
     * nothing is ever appended behind it; a file in the middle, or other damage, is an error.
     */

    private static final Logger LOG = LoggerFactory.getLogger(AofLoader.class);
    private static final long BETWEEN_REPORTS = TimeUnit.SECONDS.toNanos(5);
    /** Errors of repeated commands that are logged one by one. */
    private static final int ERRORS_SHOWN = 20;

    private final Engine engine;
    private final AofDirectory directory;
    private final BaseLoader baseLoader;
    private final Session session;
    private final ProtocolLimits limits = new ProtocolLimits();
    private long commands;
    private long errors;
    /** Bytes of the files before the present one. */
    private long bytesBefore;

    private long totalBytes;
    private long lastReport;

    AofLoader(Engine engine, AofDirectory directory, BaseLoader baseLoader) {
        this.engine = engine;
        this.directory = directory;
        this.baseLoader = baseLoader;
        this.session = engine.openRepeating();
        limits.maxBulk(Long.MAX_VALUE);
        limits.queryBufferLimit(Long.MAX_VALUE);
    }

    /**
     * Loads all files that the manifest names.
     *
     * @throws IOException with a message for the operator, if anything is wrong that must not be passed over
     */
    void load() throws IOException {
        List<Part> parts = directory.read().parts();
        totalBytes = directory.size();
        long begin = System.nanoTime();
        lastReport = begin;
        engine.loading().begin(engine.clock().millis(), totalBytes);
        for (Part part : parts) {
            Path file = directory.path(part);
            loadFile(file, part == parts.getLast());
            bytesBefore += Files.size(file);
        }
        if (!parts.isEmpty()) {
            LOG.info(
                    "DB loaded from append only file: {} commands, {} bytes, {} seconds",
                    commands,
                    totalBytes,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) / 1000.0);
        }
        if (errors > 0) {
            LOG.warn("{} commands of the append-only files answered an error and had no effect", errors);
        }
        directory.deleteHistory();
    }

    private void loadFile(Path file, boolean last) throws IOException {
        long from = 0;
        if (AofDirectory.isRdb(file)) {
            LOG.info("reading the snapshot in {}", file.getFileName());
            from = baseLoader.load(file, this::progress);
        }
        FilePass pass = new FilePass(file, from);
        if (!pass.run()) {
            end(pass, last);
        }
        session.reset();
        session.database(0);
    }

    /** Sees to a file that does not end with a complete record, or stops making sense. */
    private void end(FilePass pass, boolean last) throws IOException {
        Path file = pass.file;
        try (RecordScanner scanner = RecordScanner.open(file, pass.good)) {
            RecordScanner.Kind kind = scanner.next();
            boolean torn = kind == RecordScanner.Kind.TORN || kind == RecordScanner.Kind.END;
            if (!torn) {
                String reason =
                        kind == RecordScanner.Kind.CORRUPT ? scanner.reason() : "the record is not in the usual form";
                throw new IOException("the append-only file " + file + " is damaged at offset " + scanner.position()
                        + " (record at " + pass.good + "): " + reason + ". Make a copy of it, then run"
                        + " bin/heddle check-aof --fix " + file + ", which cuts it off there");
            }
        }
        long keep = session.inTransaction() ? pass.transaction : pass.good;
        long lost = Files.size(file) - keep;
        String where = "the append-only file " + file + " ends in the middle of a "
                + (session.inTransaction() ? "transaction" : "record") + " at offset " + keep;
        if (!last) {
            throw new IOException(where + ", and it is not the last one; what follows may depend on what is missing."
                    + " bin/heddle check-aof tells more");
        }
        if (!engine.settings().persistence.aofLoadTruncated.value()) {
            throw new IOException(where + ", and aof-load-truncated is off; bin/heddle check-aof --fix " + file
                    + " cuts the last " + lost + " bytes off");
        }
        Path copy = TornTail.cut(file, keep);
        LOG.warn("{}: cut {} bytes off, which are kept in {}", where, lost, copy);
    }

    private void progress(long bytesOfFile) {
        engine.loading().throwIfCancelled();
        long loaded = bytesBefore + bytesOfFile;
        engine.loading().loaded(loaded);
        long now = System.nanoTime();
        if (now - lastReport > BETWEEN_REPORTS) {
            lastReport = now;
            LOG.info("loading: {} %, {} commands", 100 * loaded / Math.max(1, totalBytes), commands);
        }
    }

    private void repeat(Request request, Path file, long offset) throws IOException {
        boolean known = engine.dispatcher().repeat(session, request);
        commands++;
        if (!known) {
            throw new IOException("the append-only file " + file + " has a command at offset " + offset
                    + " that this server cannot run: " + error());
        }
        if (session.reply().beginsWithError()) {
            errors++;
            if (errors <= ERRORS_SHOWN) {
                LOG.warn("{}, offset {}: {} answered: {}", file.getFileName(), offset, request.string(0), error());
            }
        }
        session.reply().clear();
    }

    private String error() {
        String text = new String(session.reply().toByteArray(), StandardCharsets.ISO_8859_1);
        return text.strip();
    }

    /** One way through a file, with the fast reader. Confined to the loader's thread. */
    private final class FilePass {

        private final Path file;
        /** Where the first record begins that has not been repeated. */
        private long good;
        /** Where the open transaction begins. */
        private long transaction;

        FilePass(Path file, long from) {
            this.file = file;
            this.good = from;
        }

        /** @return whether the file makes sense to its end */
        boolean run() throws IOException {
            RequestReader reader = new RequestReader(limits);
            reader.strict();
            long read = good;
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                channel.position(good);
                while (true) {
                    int room = reader.room();
                    int count = channel.read(ByteBuffer.wrap(reader.array(), reader.writeIndex(), room));
                    if (count < 0) {
                        return good == read && !session.inTransaction();
                    }
                    reader.received(count);
                    read += count;
                    session.beginBatch();
                    progress(read);
                    while (reader.next()) {
                        if (!take(reader.request(), read - reader.buffered())) {
                            return false;
                        }
                    }
                }
            } catch (ProtocolException violation) {
                return false;
            }
        }

        private boolean take(Request request, long end) throws IOException {
            if (end - good == request.wireBytes()) {
                boolean before = session.inTransaction();
                repeat(request, file, good);
                if (!before && session.inTransaction()) {
                    transaction = good;
                }
            } else if (request.length(0) == 0 || request.array(0)[request.offset(0)] != '#') {
                return false;
            }
            good = end;
            return true;
        }
    }
}

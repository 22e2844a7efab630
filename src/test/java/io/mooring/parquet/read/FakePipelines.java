package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.Table;
import io.mooring.jni.NativeLibrary;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.parquet.verify.PageChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Pipelines of units whose uploads are read and verified but not copied, with fake tables: without
 * a GPU. At their end all that they held is released.
 */
final class FakePipelines implements AutoCloseable {
  static final long MIB = 1 << 20;

  private final Path file;
  private final ScanCounters counters = new ScanCounters();
  private final List<String> events = new ArrayList<>();
  private final Map<ReadUnit, FakeTables> tables = new HashMap<>();
  private final Map<ReadUnit, Function<ReadUnit, FakeTables>> decoders = new HashMap<>();
  private final Set<ReadUnit> failing = new HashSet<>();
  private final Set<ReadUnit> held = new HashSet<>();
  private final List<UnitUpload> uploads = new ArrayList<>();
  private final DeviceAdmission admission = new DeviceAdmission(1024 * MIB);
  private final TaskLimit limit = new TaskLimit(1);
  private final ReadByThreads threads = new ReadByThreads(2, 64 * MIB);

  /**
   * @param folder for the file of several row groups, which is written once
   */
  FakePipelines(Path folder) throws IOException {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    file = folder.resolve("file.parquet");
    if (!Files.exists(file)) {
      ParquetFiles.write(file, 60_000, 64 << 10, false, CompressionCodecName.UNCOMPRESSED);
    }
  }

  ScanCounters counters() {
    return counters;
  }

  /** The ends of tables and of decodes, in their order. */
  List<String> events() {
    return events;
  }

  /** The tables of each unit whose decode has begun. */
  Map<ReadUnit, FakeTables> tables() {
    return tables;
  }

  /** Each that was begun, in their order. */
  List<UnitUpload> uploads() {
    return uploads;
  }

  DeviceAdmission admission() {
    return admission;
  }

  /** One task at a time decodes. */
  TaskLimit limit() {
    return limit;
  }

  /** Has a unit decoded into other tables than one of its rows. */
  void decodeBy(ReadUnit unit, Function<ReadUnit, FakeTables> decoder) {
    decoders.put(unit, decoder);
  }

  /** Has the reads of a unit fail. */
  void failReads(ReadUnit unit) {
    failing.add(unit);
  }

  /** Has the reads of a unit not begin. */
  void holdReads(ReadUnit unit) {
    held.add(unit);
  }

  /** A unit of each of the first row groups. */
  List<ReadUnit> units(int count) throws Exception {
    Footer footer = Footers.read(ParquetFiles.at(file));
    UnitPlanner planner = new UnitPlanner(ParquetFiles.at(file), footer, List.of("id"), 1, 0);
    return planner.plan(IntStream.range(0, count).boxed().toList());
  }

  UnitPipeline pipeline(List<ReadUnit> units) {
    return pipeline(units, admission, () -> {});
  }

  UnitPipeline pipeline(List<ReadUnit> units, DeviceAdmission room, Runnable stillWanted) {
    ReadAhead ahead = new ReadAhead(units, room, this::upload, counters);
    return new UnitPipeline(ahead, limit, this::begin, this::decode, counters, stillWanted);
  }

  private DecodeMonitor.Decode begin(Object files) {
    return () -> events.add("decode");
  }

  private UnitUpload upload(ReadUnit unit, int ahead) throws IOException {
    UnitUpload upload =
        new UnitUpload(
            unit, CachedParts.NONE, PageChecks.CHECKSUMS, counters, ParquetFiles.CONF, MIB, MIB);
    uploads.add(upload);
    List<UploadPiece> pieces = VerifiedUnits.pieces(upload);
    if (failing.contains(unit)) {
      pieces.forEach(piece -> upload.state().pieceFailed(new IOException("for a test")));
    } else if (!held.contains(unit)) {
      threads.submit(pieces);
    }
    return upload;
  }

  private DecodedTables decode(UnitUpload upload) {
    ReadUnit unit = upload.unit();
    FakeTables made =
        decoders.getOrDefault(unit, u -> new FakeTables(events, u.rows())).apply(unit);
    tables.put(unit, made);
    return made;
  }

  /** The rows of each table of a unit. */
  static List<Long> rows(UnitTables unit) {
    List<Long> rows = new ArrayList<>();
    for (Table next = unit.next(); next != null; next = unit.next()) {
      try (Table table = next) {
        rows.add(table.getRowCount());
      }
    }
    return rows;
  }

  /** Reads the first unit, whose reads were held: at their end they give back what they hold. */
  void endHeldReads() {
    UnitUpload upload = uploads.get(0);
    CompletableFuture<Void> ended = new CompletableFuture<>();
    threads.submit(VerifiedUnits.pieces(upload));
    upload.state().afterLastPiece(() -> ended.complete(null));
    assertThat(ended).succeedsWithin(Duration.ofSeconds(60));
  }

  /** Fails where a task has its turn. */
  void requireFreeTurn() throws InterruptedException {
    Runnable notFree =
        () -> {
          throw new AssertionError("A task has its turn");
        };
    limit.acquire(notFree).close();
  }

  @Override
  public void close() throws InterruptedException {
    requireFreeTurn();
    assertThat(admission.isIdle()).isTrue();
    assertThat(tables.values()).allMatch(FakeTables::allClosed);
    assertThat(uploads).allMatch(upload -> upload.state().isGivenUp());
    threads.close();
  }
}

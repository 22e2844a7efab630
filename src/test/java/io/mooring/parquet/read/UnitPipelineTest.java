package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ai.rapids.cudf.Table;
import io.mooring.jni.NativeLibrary;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.parquet.verify.PageChecks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ownership, closing, cancellation and admission of units, with uploads that are read and verified
 * but not copied, and with fake tables: without a GPU.
 */
@Timeout(120)
class UnitPipelineTest {
  private static final long MIB = 1 << 20;

  @TempDir static Path folder;
  private static Path file;
  private final ScanCounters counters = new ScanCounters();
  private final List<String> events = new ArrayList<>();
  private final Map<ReadUnit, FakeTables> tables = new HashMap<>();
  private final Map<ReadUnit, Function<ReadUnit, FakeTables>> decoders = new HashMap<>();
  private final Set<ReadUnit> failing = new HashSet<>();
  private final Set<ReadUnit> stuck = new HashSet<>();
  private final List<UnitUpload> uploads = new ArrayList<>();
  private final DeviceAdmission admission = new DeviceAdmission(1024 * MIB);
  private ReadByThreads threads;

  @BeforeAll
  static void write() throws IOException {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    file = folder.resolve("file.parquet");
    ParquetFiles.write(file, 60_000, 64 << 10, false, CompressionCodecName.UNCOMPRESSED);
  }

  @BeforeEach
  void start() {
    threads = new ReadByThreads(2, 64 * MIB);
  }

  @AfterEach
  void everythingIsReleased() throws InterruptedException {
    assertThat(admission.isIdle()).isTrue();
    assertThat(tables.values()).allMatch(FakeTables::allClosed);
    assertThat(uploads).allMatch(upload -> upload.state().isGivenUp());
    threads.close();
  }

  /** A unit of each of the first row groups. */
  private static List<ReadUnit> units(int count) throws Exception {
    Footer footer = Footers.read(ParquetFiles.at(file));
    UnitPlanner planner = new UnitPlanner(ParquetFiles.at(file), footer, List.of("id"), 1, 0);
    return planner.plan(IntStream.range(0, count).boxed().toList());
  }

  private UnitPipeline pipeline(List<ReadUnit> units, DeviceAdmission room) {
    return new UnitPipeline(
        units, room, this::begin, this::upload, this::decode, counters, () -> {});
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
    } else if (!stuck.contains(unit)) {
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

  private static List<Long> rows(UnitTables unit) {
    List<Long> rows = new ArrayList<>();
    for (Table next = unit.next(); next != null; next = unit.next()) {
      try (Table table = next) {
        rows.add(table.getRowCount());
      }
    }
    return rows;
  }

  @Test
  void next_givesEveryUnitOnceAndInOrder() throws Exception {
    List<ReadUnit> units = units(5);
    try (UnitPipeline pipeline = pipeline(units, admission)) {
      for (ReadUnit unit : units) {
        try (UnitTables decoded = pipeline.next(unit)) {
          assertThat(rows(decoded)).containsExactly(unit.rows());
          assertThat(decoded.next()).isNull();
        }
      }
    }
    assertThat(counters.value(Counter.ROW_GROUPS_READ)).isEqualTo(5);
  }

  @Test
  void close_endsDecoderAndMonitorBeforeMemoryAndAdmissionAreReleased() throws Exception {
    List<ReadUnit> units = units(1);
    try (UnitPipeline pipeline = pipeline(units, admission)) {
      UnitTables decoded = pipeline.next(units.get(0));
      assertThat(events).isEmpty();
      assertThat(admission.isIdle()).isFalse();
      assertThat(uploads.get(0).state().isGivenUp()).isFalse();
      rows(decoded);
      assertThat(admission.isIdle()).isFalse();
      decoded.close();
      assertThat(events).containsExactly("tables", "decode");
      assertThat(admission.isIdle()).isTrue();
    }
  }

  @Test
  void next_afterAFailingDecode_continuesWithTheNextUnit() throws Exception {
    List<ReadUnit> units = units(2);
    decoders.put(units.get(0), unit -> new FakeTables(events, -1L));
    try (UnitPipeline pipeline = pipeline(units, admission)) {
      try (UnitTables decoded = pipeline.next(units.get(0))) {
        assertThatThrownBy(decoded::next).hasMessage("for a test");
      }
      assertThat(events).containsExactly("tables", "decode");
      try (UnitTables decoded = pipeline.next(units.get(1))) {
        assertThat(rows(decoded)).containsExactly(units.get(1).rows());
      }
    }
  }

  @Test
  void next_afterAFailingUpload_continuesWithTheNextUnit() throws Exception {
    List<ReadUnit> units = units(2);
    failing.add(units.get(0));
    try (UnitPipeline pipeline = pipeline(units, admission)) {
      assertThatThrownBy(() -> pipeline.next(units.get(0))).isInstanceOf(IOException.class);
      assertThat(tables).isEmpty();
      try (UnitTables decoded = pipeline.next(units.get(1))) {
        assertThat(rows(decoded)).containsExactly(units.get(1).rows());
      }
    }
  }

  @Test
  void next_withADecoderThatCannotBeMade_releasesTheUnit() throws Exception {
    List<ReadUnit> units = units(1);
    decoders.put(
        units.get(0),
        unit -> {
          throw new OutOfMemoryError("for a test");
        });
    try (UnitPipeline pipeline = pipeline(units, admission)) {
      assertThatThrownBy(() -> pipeline.next(units.get(0))).isInstanceOf(OutOfMemoryError.class);
      assertThat(admission.isIdle()).isTrue();
    }
  }

  @Test
  void next_ofAnotherUnitThanThePlannedOne_isRefusedAndKeepsThePlan() throws Exception {
    List<ReadUnit> units = units(2);
    try (UnitPipeline pipeline = pipeline(units, admission)) {
      assertThatThrownBy(() -> pipeline.next(units.get(1)))
          .isInstanceOf(IllegalStateException.class);
      try (UnitTables decoded = pipeline.next(units.get(0))) {
        assertThat(rows(decoded)).hasSize(1);
      }
    }
  }

  @Test
  void aWholeUnit_withOtherRowsThanTheFooterSays_givesNoTable() throws Exception {
    for (long wrong : new long[] {-1, 1}) {
      List<ReadUnit> units = units(1);
      decoders.put(units.get(0), unit -> new FakeTables(events, unit.rows() + wrong));
      try (UnitPipeline pipeline = pipeline(units, admission);
          UnitTables decoded = pipeline.next(units.get(0))) {
        assertThatThrownBy(decoded::next).hasMessageContaining("The footer promises");
      }
    }
  }

  @Test
  void aChunkedUnit_givesItsTablesAndChecksTheirRows() throws Exception {
    ReadUnit unit = units(1).get(0).chunked(1);
    long rows = unit.rows();
    decoders.put(unit, u -> new FakeTables(events, 10L, rows - 10));
    assertThat(chunks(unit)).containsExactly(10L, rows - 10);
    assertThat(counters.value(Counter.CHUNKS_DECODED)).isEqualTo(2);
    decoders.put(unit, u -> new FakeTables(events, 10L, rows));
    assertThatThrownBy(() -> chunks(unit)).hasMessageContaining("there are " + (rows + 10));
    decoders.put(unit, u -> new FakeTables(events, rows - 1));
    assertThatThrownBy(() -> chunks(unit)).hasMessageContaining("there are " + (rows - 1));
    decoders.put(unit, u -> new FakeTables(events, 1L, 0L, 0L));
    assertThatThrownBy(() -> chunks(unit)).hasMessageContaining("there are 1");
  }

  private List<Long> chunks(ReadUnit unit) throws Exception {
    try (UnitPipeline pipeline = pipeline(List.of(unit), admission);
        UnitTables decoded = pipeline.next(unit)) {
      return rows(decoded);
    }
  }

  @Test
  void aTableThatIsNotTakenToTheEnd_isClosedByItsOwnerAlone() throws Exception {
    ReadUnit unit = units(1).get(0).chunked(1);
    decoders.put(unit, u -> new FakeTables(events, 10L, u.rows() - 10));
    try (UnitPipeline pipeline = pipeline(List.of(unit), admission)) {
      Table first;
      try (UnitTables decoded = pipeline.next(unit)) {
        first = decoded.next();
      }
      assertThat(tables.get(unit).allClosed()).isFalse();
      first.close();
    }
    assertThat(counters.value(Counter.ROW_GROUPS_READ)).isZero();
  }

  @Test
  void close_withUnitsReadAhead_releasesThem() throws Exception {
    List<ReadUnit> units = units(4);
    try (UnitPipeline pipeline = pipeline(units, admission)) {
      pipeline.next(units.get(0)).close();
      assertThat(uploads).hasSizeGreaterThan(1);
      assertThat(admission.isIdle()).isFalse();
    }
  }

  @Test
  void insert_withoutRoom_givesUpWhatWasReadAheadAndReadsItAgain() throws Exception {
    List<ReadUnit> units = units(3);
    ReadUnit inserted = units(4).get(3);
    DeviceAdmission small = new DeviceAdmission(2 * MIB);
    try (UnitPipeline pipeline = pipeline(units, small)) {
      pipeline.next(units.get(0)).close();
      int started = uploads.size();
      assertThat(started).isEqualTo(2);
      try (HeldAdmission held = HeldAdmission.of(small, 1);
          UnitTables decoded = pipeline.insert(inserted)) {
        assertThat(held.permits()).isOne();
        assertThat(uploads.get(1).state().isGivenUp()).isTrue();
        assertThat(rows(decoded)).containsExactly(inserted.rows());
      }
      try (UnitTables alone = pipeline.insertAlone(inserted)) {
        assertThat(small.admittedBytes()).isEqualTo(2 * MIB);
        assertThat(rows(alone)).containsExactly(inserted.rows());
      }
      assertThat(small.isIdle()).isTrue();
      for (ReadUnit unit : units.subList(1, 3)) {
        try (UnitTables decoded = pipeline.next(unit)) {
          assertThat(rows(decoded)).containsExactly(unit.rows());
        }
      }
    }
    assertThat(small.isIdle()).isTrue();
  }

  @Test
  void aTaskThatIsInterruptedWhileItWaits_releasesTheUnitBeforeItsReadsHaveEnded()
      throws Exception {
    List<ReadUnit> units = units(1);
    stuck.add(units.get(0));
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread task = new Thread(() -> failure.complete(failureOf(pipeline(units, admission), units)));
    task.start();
    await().until(() -> task.getState() == Thread.State.TIMED_WAITING);
    task.interrupt();
    assertThat(failure.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    task.join();
    assertThat(admission.isIdle()).isTrue();
    endStuck();
  }

  @Test
  void aTaskThatIsKilledWhileItWaits_isToldSo() throws Exception {
    List<ReadUnit> units = units(1);
    stuck.add(units.get(0));
    AtomicBoolean killed = new AtomicBoolean();
    Runnable stillWanted =
        () -> {
          if (killed.getAndSet(true)) {
            throw new IllegalStateException("killed");
          }
        };
    UnitPipeline pipeline =
        new UnitPipeline(
            units, admission, this::begin, this::upload, this::decode, counters, stillWanted);
    assertThat(failureOf(pipeline, units)).hasMessage("killed");
    assertThat(admission.isIdle()).isTrue();
    endStuck();
  }

  private static Throwable failureOf(UnitPipeline pipeline, List<ReadUnit> units) {
    try (pipeline) {
      pipeline.next(units.get(0)).close();
      return new AssertionError("it went on");
    } catch (IOException | InterruptedException | RuntimeException e) {
      return e;
    }
  }

  /** A read that ends when nobody waits for it any more gives back what it holds. */
  private void endStuck() {
    UnitUpload upload = uploads.get(0);
    CompletableFuture<Void> ended = new CompletableFuture<>();
    threads.submit(VerifiedUnits.pieces(upload));
    upload.state().afterLastPiece(() -> ended.complete(null));
    assertThat(ended).succeedsWithin(Duration.ofSeconds(60));
  }
}

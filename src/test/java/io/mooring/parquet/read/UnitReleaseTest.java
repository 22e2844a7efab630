package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters.Counter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A pipeline releases the memory, the tables and the admission of its units when they are closed,
 * make room for others, cannot be decoded, or belong to a task that ends.
 */
@Timeout(120)
class UnitReleaseTest {
  @TempDir static Path folder;
  private FakePipelines pipelines;

  @BeforeEach
  void start() throws IOException {
    pipelines = new FakePipelines(folder);
  }

  @AfterEach
  void everythingIsReleased() throws InterruptedException {
    pipelines.close();
  }

  @Test
  void close_endsDecoderAndMonitorBeforeMemoryAndAdmissionAreReleased() throws Exception {
    List<ReadUnit> units = pipelines.units(1);
    try (UnitPipeline pipeline = pipelines.pipeline(units)) {
      UnitTables decoded = pipeline.next(units.get(0));
      assertThat(pipelines.events()).isEmpty();
      assertThat(pipelines.admission().isIdle()).isFalse();
      assertThat(pipelines.uploads().get(0).state().isGivenUp()).isFalse();
      FakePipelines.rows(decoded);
      assertThat(pipelines.admission().isIdle()).isFalse();
      decoded.close();
      assertThat(pipelines.events()).containsExactly("tables", "decode");
      assertThat(pipelines.admission().isIdle()).isTrue();
    }
  }

  @Test
  void close_withUnitsReadAhead_releasesThem() throws Exception {
    List<ReadUnit> units = pipelines.units(4);
    try (UnitPipeline pipeline = pipelines.pipeline(units)) {
      pipeline.next(units.get(0)).close();
      assertThat(pipelines.uploads()).hasSizeGreaterThan(1);
      assertThat(pipelines.admission().isIdle()).isFalse();
    }
  }

  @Test
  void next_withADecoderThatCannotBeMade_releasesTheUnit() throws Exception {
    List<ReadUnit> units = pipelines.units(1);
    pipelines.decodeBy(
        units.get(0),
        unit -> {
          throw new OutOfMemoryError("for a test");
        });
    try (UnitPipeline pipeline = pipelines.pipeline(units)) {
      assertThatThrownBy(() -> pipeline.next(units.get(0))).isInstanceOf(OutOfMemoryError.class);
      assertThat(pipelines.admission().isIdle()).isTrue();
    }
  }

  @Test
  void aTableThatIsNotTakenToTheEnd_isClosedByItsOwnerAlone() throws Exception {
    ReadUnit unit = pipelines.units(1).get(0).chunked(1);
    pipelines.decodeBy(unit, u -> new FakeTables(pipelines.events(), 10L, u.rows() - 10));
    try (UnitPipeline pipeline = pipelines.pipeline(List.of(unit))) {
      Table first;
      try (UnitTables decoded = pipeline.next(unit)) {
        first = decoded.next();
      }
      assertThat(pipelines.tables().get(unit).allClosed()).isFalse();
      first.close();
    }
    assertThat(pipelines.counters().value(Counter.ROW_GROUPS_READ)).isZero();
  }

  @Test
  void insert_withoutRoom_givesUpWhatWasReadAheadAndReadsItAgain() throws Exception {
    List<ReadUnit> units = pipelines.units(3);
    ReadUnit inserted = pipelines.units(4).get(3);
    DeviceAdmission small = new DeviceAdmission(2 * FakePipelines.MIB);
    try (UnitPipeline pipeline = pipelines.pipeline(units, small, () -> {})) {
      pipeline.next(units.get(0)).close();
      int started = pipelines.uploads().size();
      assertThat(started).isEqualTo(2);
      try (HeldAdmission held = HeldAdmission.of(small, 1);
          UnitTables decoded = pipeline.insert(inserted)) {
        assertThat(held.permits()).isOne();
        assertThat(pipelines.uploads().get(1).state().isGivenUp()).isTrue();
        assertThat(FakePipelines.rows(decoded)).containsExactly(inserted.rows());
      }
      try (UnitTables alone = pipeline.insertAlone(inserted)) {
        assertThat(small.admittedBytes()).isEqualTo(2 * FakePipelines.MIB);
        assertThat(FakePipelines.rows(alone)).containsExactly(inserted.rows());
      }
      assertThat(small.isIdle()).isTrue();
      for (ReadUnit unit : units.subList(1, 3)) {
        try (UnitTables decoded = pipeline.next(unit)) {
          assertThat(FakePipelines.rows(decoded)).containsExactly(unit.rows());
        }
      }
    }
    assertThat(small.isIdle()).isTrue();
  }

  @Test
  void aTaskThatIsInterruptedWhileItWaits_releasesTheUnitBeforeItsReadsHaveEnded()
      throws Exception {
    List<ReadUnit> units = pipelines.units(1);
    pipelines.holdReads(units.get(0));
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread task = new Thread(() -> failure.complete(failureOf(pipelines.pipeline(units), units)));
    task.start();
    await().until(() -> task.getState() == Thread.State.TIMED_WAITING);
    task.interrupt();
    assertThat(failure.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    task.join();
    assertThat(pipelines.admission().isIdle()).isTrue();
    pipelines.endHeldReads();
  }

  @Test
  void aTaskThatIsKilledWhileItWaits_isToldSo() throws Exception {
    List<ReadUnit> units = pipelines.units(1);
    pipelines.holdReads(units.get(0));
    AtomicBoolean killed = new AtomicBoolean();
    Runnable stillWanted =
        () -> {
          if (killed.getAndSet(true)) {
            throw new IllegalStateException("killed");
          }
        };
    UnitPipeline pipeline = pipelines.pipeline(units, pipelines.admission(), stillWanted);
    assertThat(failureOf(pipeline, units)).hasMessage("killed");
    assertThat(pipelines.admission().isIdle()).isTrue();
    pipelines.endHeldReads();
  }

  private static Throwable failureOf(UnitPipeline pipeline, List<ReadUnit> units) {
    try (pipeline) {
      pipeline.next(units.get(0)).close();
      return new AssertionError("it went on");
    } catch (IOException | InterruptedException | RuntimeException e) {
      return e;
    }
  }
}

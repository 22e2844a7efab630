package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters.Counter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A task has its turn from before a unit is decoded until the unit needs the device no more. */
@Timeout(120)
class UnitTurnsTest {
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

  private void assertTurnIsTaken() {
    assertThatThrownBy(pipelines::requireFreeTurn).hasMessage("A task has its turn");
  }

  @Test
  void aTaskWaitsForItsTurn_whileItsNextUnitsAreRead() throws Exception {
    List<ReadUnit> units = pipelines.units(4);
    CompletableFuture<Long> rows;
    try (TaskLimit.Turn ofOther = pipelines.limit().acquire(() -> {})) {
      rows = CompletableFuture.supplyAsync(() -> rowsOfFirst(units));
      await().until(() -> pipelines.uploads().size() == 3);
      for (UnitUpload upload : pipelines.uploads()) {
        upload.state().await(() -> {});
      }
      Thread.sleep(100);
      assertThat(pipelines.tables()).isEmpty();
    }
    assertThat(rows).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(units.get(0).rows());
    assertThat(pipelines.counters().value(Counter.TURN_WAIT))
        .isGreaterThan(Duration.ofMillis(50).toNanos());
  }

  private long rowsOfFirst(List<ReadUnit> units) {
    try (UnitPipeline pipeline = pipelines.pipeline(units);
        UnitTables decoded = pipeline.next(units.get(0))) {
      return FakePipelines.rows(decoded).get(0);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aTaskThatWaitsForItsBytes_hasNoTurn() throws Exception {
    List<ReadUnit> units = pipelines.units(1);
    pipelines.holdReads(units.get(0));
    CompletableFuture<Long> rows = CompletableFuture.supplyAsync(() -> rowsOfFirst(units));
    await().until(() -> pipelines.uploads().size() == 1);
    Thread.sleep(100);
    pipelines.requireFreeTurn();
    pipelines.endHeldReads();
    assertThat(rows).succeedsWithin(Duration.ofSeconds(60)).isEqualTo(units.get(0).rows());
  }

  @Test
  void aTaskHasItsTurn_untilTheUnitIsClosed() throws Exception {
    List<ReadUnit> units = pipelines.units(1);
    try (UnitPipeline pipeline = pipelines.pipeline(units)) {
      try (UnitTables decoded = pipeline.next(units.get(0))) {
        assertTurnIsTaken();
        FakePipelines.rows(decoded);
        assertTurnIsTaken();
      }
      pipelines.requireFreeTurn();
    }
  }

  @Test
  void aTaskWithoutAnyMoreToDecode_canEndItsTurn() throws Exception {
    List<ReadUnit> units = pipelines.units(1);
    try (UnitPipeline pipeline = pipelines.pipeline(units);
        UnitTables decoded = pipeline.next(units.get(0))) {
      decoded.endTurn();
      assertTurnIsTaken();
      FakePipelines.rows(decoded);
      decoded.endTurn();
      pipelines.requireFreeTurn();
      assertThat(pipelines.events()).isEmpty();
    }
  }

  @Test
  void aTaskHasItsTurnBetweenChunks() throws Exception {
    ReadUnit unit = pipelines.units(1).get(0).chunked(1);
    pipelines.decodeBy(unit, u -> new FakeTables(pipelines.events(), 10L, u.rows() - 10));
    try (UnitPipeline pipeline = pipelines.pipeline(List.of(unit));
        UnitTables decoded = pipeline.next(unit)) {
      decoded.next().close();
      decoded.endTurn();
      assertTurnIsTaken();
    }
  }

  @Test
  void aUnitThatCannotBeDecoded_endsTheTurn() throws Exception {
    List<ReadUnit> units = pipelines.units(2);
    pipelines.decodeBy(
        units.get(0),
        unit -> {
          throw new OutOfMemoryError("for a test");
        });
    pipelines.decodeBy(units.get(1), unit -> new FakeTables(pipelines.events(), -1L));
    try (UnitPipeline pipeline = pipelines.pipeline(units)) {
      assertThatThrownBy(() -> pipeline.next(units.get(0))).isInstanceOf(OutOfMemoryError.class);
      pipelines.requireFreeTurn();
      try (UnitTables decoded = pipeline.next(units.get(1))) {
        assertThatThrownBy(decoded::next).hasMessage("for a test");
      }
      pipelines.requireFreeTurn();
    }
  }

  @Test
  void aTaskThatIsKilledWhileItWaitsForItsTurn_releasesItsUnit() throws Exception {
    List<ReadUnit> units = pipelines.units(1);
    Runnable stillWanted =
        () -> {
          // Not while it waits for bytes.
          if (pipelines.uploads().stream().allMatch(upload -> isRead(upload))) {
            throw new IllegalStateException("killed");
          }
        };
    try (TaskLimit.Turn ofOther = pipelines.limit().acquire(() -> {});
        UnitPipeline pipeline = pipelines.pipeline(units, pipelines.admission(), stillWanted)) {
      assertThatThrownBy(() -> pipeline.next(units.get(0))).hasMessage("killed");
      assertThat(pipelines.admission().isIdle()).isTrue();
      assertThat(pipelines.tables()).isEmpty();
    }
  }

  private static boolean isRead(UnitUpload upload) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    upload.state().afterLastPiece(() -> ended.complete(null));
    return ended.isDone();
  }
}

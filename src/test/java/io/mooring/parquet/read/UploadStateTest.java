package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.source.FileSequence;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.UnitSources;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.verify.PageChecks;
import io.mooring.parquet.verify.UnitVerification;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a task waits for when it gives an upload up, and what it leaves to others. */
@Timeout(60)
class UploadStateTest {
  private UploadState state;
  private final List<String> events = new ArrayList<>();

  @BeforeEach
  void twoPieces() throws IOException {
    ScanCounters counters = new ScanCounters();
    UnitSources none =
        UnitSources.open(
            FileSequence.of(List.<ParquetFile>of()), List.of(), ParquetFiles.CONF, counters);
    UnitVerification nothing = new UnitVerification(List.of(), PageChecks.NONE, at -> null);
    state = new UploadState(none, nothing, CachedParts.NONE, counters, 2);
  }

  @Test
  void copiesInFlightAreWaitedFor() throws Exception {
    assertThat(state.beginCopy()).isTrue();
    Thread task =
        new Thread(
            () -> {
              state.cancel();
              state.awaitCopies();
            });
    task.start();
    await().until(() -> task.getState() == Thread.State.WAITING);
    task.interrupt();
    await().during(Duration.ofMillis(100)).until(task::isAlive);
    state.endCopy();
    task.join();
  }

  @Test
  void noCopyBeginsOnceTheTaskHasGivenUp() {
    state.cancel();
    assertThat(state.beginCopy()).isFalse();
    state.awaitCopies();
  }

  @Test
  void theLastPieceReleasesWhatAllHaveInCommon() {
    state.cancel();
    state.afterLastPiece(() -> events.add("released"));
    state.pieceFailed(new IOException("the store does not answer"));
    assertThat(events).isEmpty();
    state.pieceDone();
    assertThat(events).containsExactly("released");
    state.afterLastPiece(() -> events.add("at once"));
    assertThat(events).containsExactly("released", "at once");
  }

  @Test
  void theFirstFailureIsThrownOnceAllHaveEnded() {
    state.pieceFailed(new IOException("first"));
    state.pieceFailed(new IOException("second"));
    assertThatThrownBy(() -> state.await(() -> {}))
        .isInstanceOf(IOException.class)
        .hasMessage("first");
  }
}

package io.mooring.benchmarks.p2p;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mooring.benchmarks.p2p.PeerCommand.PeerLink;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerTest {

  private final List<Run> runs = new ArrayList<>();

  private void run(String query, int tasks, long bytes, double seconds) {
    runs.add(
        new Run(query, PeerRuns.PEER, tasks, 1, 1, false, "gpu", seconds, bytes, 0, "", Map.of()));
  }

  private PeerFigures figures(int gpus) {
    return new PeerFigures(Summary.of(runs, List.of(PeerRuns.HOST)), gpus);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 8})
  void everyPairAndExchangeIsMeasuredOnce(int gpus) {
    List<PeerPlan.Traffic> all = new PeerPlan(gpus, 4096).traffic();
    assertThat(all).extracting(PeerPlan.Traffic::query).doesNotHaveDuplicates();
    int pairs = gpus * (gpus - 1);
    int concurrent = gpus >= 4 ? 2 : 0;
    assertThat(all).hasSize(pairs + pairs / 2 + concurrent + 6);
    assertThat(all)
        .filteredOn(t -> t.query().startsWith("exchange in a ring"))
        .allSatisfy(t -> assertThat(t.bytes()).isEqualTo(2L * gpus * 4096));
    assertThat(all)
        .filteredOn(t -> t.query().startsWith("exchange in a line"))
        .allSatisfy(t -> assertThat(t.bytes()).isEqualTo(2L * (gpus - 1) * 4096));
  }

  @Test
  void requestsNameMessagesAndSeed() {
    List<PeerPlan.Traffic> all = new PeerPlan(5, 4096).traffic();
    assertThat(all.stream().map(t -> PeerPlan.seeded(t, 7)))
        .contains(
            "p2p send 4096 7 0 1",
            "p2p send 4096 7 3 4 4 3",
            "p2p send 4096 7 0 1 2 3",
            "p2p send 4096 7 0 1 1 0 2 3 3 2",
            "p2p exchange ring at-once 5 4096 7");
  }

  @Test
  void theExchangeIsHeldAgainstNTimesThePair() {
    for (int i = 0; i < 3; i++) {
      run(PeerPlan.simplex(i, (i + 1) % 3), 2, 100, 1);
    }
    run(PeerPlan.simplex(0, 2), 2, 100, 99); // not along the ring
    assertThat(figures(3).exchangeShare()).as("no exchange yet").isEmpty();
    run(PeerPlan.exchange("ring", PeerPlan.AT_ONCE), 3, 600, 2.5);
    assertThat(figures(3).pairRate().orElseThrow()).isEqualTo(100, within(1e-9));
    assertThat(figures(3).exchangeShare().orElseThrow()).isEqualTo(0.8, within(1e-9));
  }

  @Test
  void overlapOfHalosIsHeldAgainstTheLongerPart() {
    run(PeerRuns.halo("compute"), 2, 0, 2);
    run(PeerRuns.halo("exchange"), 2, 8, 1);
    run(PeerRuns.halo("in-turn"), 2, 8, 3.1);
    assertThat(figures(2).halos().rows()).isEmpty();
    run(PeerRuns.halo("overlapped"), 2, 8, 2.5);
    assertThat(figures(2).halos().rows())
        .containsExactly(List.of(PeerRuns.PEER, "2.0000", "1.0000", "3.1000", "2.5000", "0.8000"));
  }

  @Test
  void theMatrixShowsWhoReachesWhom() {
    List<PeerLink> links =
        List.of(new PeerLink(0, 1, true, true, 0), new PeerLink(1, 0, false, false, 3));
    assertThat(PeerLink.matrix(links).rows())
        .containsExactly(
            List.of("GPU 0", "-", "yes a, rank 0"), List.of("GPU 1", "no, rank 3", "-"));
  }
}

package io.mooring.benchmarks.overlap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mooring.benchmarks.overlap.OverlapFigures.OverlapChecks;
import io.mooring.benchmarks.overlap.OverlapFigures.Stages;
import io.mooring.benchmarks.report.Check;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.report.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OverlapTest {

  private final List<Run> runs = new ArrayList<>();

  private void run(String query, String arm, double seconds) {
    runs.add(new Run(query, arm, 1, 1, 1, false, "gpu", seconds, 1 << 30, 0, "", Map.of()));
  }

  private void measure() {
    run(Overlaps.ALONE, Overlaps.STAGING_ONE, 3);
    run(Overlaps.ALONE, Overlaps.STAGING_SEVERAL, 0.9);
    run(Overlaps.ALONE, Overlaps.COPYING, 1);
    run(Overlaps.ALONE, Overlaps.computing(Balance.BALANCED), 1);
    run(Balance.BALANCED.text(), Overlaps.PAGEABLE, 5.5);
    run(Balance.BALANCED.text(), Overlaps.SAME_THREAD, 5);
    run(Balance.BALANCED.text(), Overlaps.STAGED, 4);
    run(Balance.BALANCED.text(), Overlaps.PIPELINE, 1.04);
  }

  private OverlapFigures figures() {
    return new OverlapFigures(Summary.of(runs, List.of(Overlaps.SAME_THREAD)));
  }

  @Test
  void theIdealIsTheSumOverTheSlowest() {
    Stages equal = new Stages(1, 1, 1);
    assertThat(equal.ideal()).isEqualTo(3);
    assertThat(equal.ofIdeal(1)).isEqualTo(1);
    assertThat(equal.speedUp(1.5)).isEqualTo(2);
    assertThat(equal.ofIdeal(3)).as("no overlap at all").isEqualTo(1.0 / 3, within(1e-12));
    Stages one = new Stages(0, 4, 1);
    assertThat(one.ideal()).isEqualTo(1.25);
    assertThat(one.ofIdeal(5)).isEqualTo(0.8, within(1e-12));
  }

  @Test
  void eachMethodIsHeldAgainstItsOwnStages() {
    measure();
    assertThat(figures().stages(Balance.BALANCED, Overlaps.STAGED)).contains(new Stages(3, 1, 1));
    assertThat(figures().stages(Balance.BALANCED, Overlaps.PIPELINE))
        .contains(new Stages(0.9, 1, 1));
    assertThat(figures().stages(Balance.BALANCED, Overlaps.PAGEABLE)).isEmpty();
    List<Check> checks = new OverlapChecks(figures(), Optional.empty()).all();
    assertThat(checks).extracting(Check::verdict).containsExactly("holds", "fails", "holds");
    assertThat(checks.get(0).value()).isEqualTo(1 / 1.04, within(1e-9));
    assertThat(checks.get(1).value()).isEqualTo(0.75, within(1e-9));
    assertThat(checks.get(2).value()).isEqualTo(5 / 1.04, within(1e-9));
    assertThat(figures().text()).contains("balanced, staged by several").contains("0.962");
  }

  @Test
  void whatWasNotMeasuredIsNotJudged() {
    assertThat(new OverlapChecks(figures(), Optional.of("no GPU")).all())
        .extracting(Check::verdict)
        .containsOnly("skipped");
    run(Balance.BALANCED.text(), Overlaps.PIPELINE, 1);
    assertThat(new OverlapChecks(figures(), Optional.empty()).all())
        .extracting(Check::reason)
        .containsOnly("not measured");
  }

  @Test
  void calibrationFindsTheAmountOfALinearLoad() {
    double none = 0.02;
    double each = 3e-4;
    double target = Balance.COMPUTE_HEAVY.target(0.05, 0.1);
    assertThat(target).isEqualTo(0.3, within(1e-12));
    assertThat(Balance.amount(target, none, 100, none + 100 * each)).contains(933L);
    assertThat(Balance.amount(0.001, none, 100, none + 100 * each)).contains(0L);
    assertThat(Balance.amount(target, none, 100, none)).as("does not grow").isEmpty();
    assertThat(Balance.COPY_HEAVY.target(0.3, 0.1)).isEqualTo(0.1, within(1e-12));
  }
}

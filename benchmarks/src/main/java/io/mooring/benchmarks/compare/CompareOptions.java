package io.mooring.benchmarks.compare;

import io.mooring.benchmarks.cli.Share;
import io.mooring.benchmarks.cli.UserError;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options that say what counts as a difference. */
final class CompareOptions {

  /** The probability with which the detectable change is found. */
  static final double POWER = 0.8;

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      defaultValue = Metric.SECONDS,
      description =
          "What is compared: seconds (of one operation where runs count them), or a metric of the"
              + " runs (default: ${DEFAULT-VALUE}).")
  String metric = Metric.SECONDS;

  @Option(names = "--higher-is-better", description = "More of the metric is better, not less.")
  boolean higherIsBetter;

  @Option(
      names = "--equivalence",
      paramLabel = "SHARE",
      defaultValue = "2%",
      converter = Share.Converter.class,
      description = "Differences below this count as none (default: ${DEFAULT-VALUE}).")
  double equivalence;

  @Option(
      names = "--alpha",
      paramLabel = "SHARE",
      defaultValue = "5%",
      converter = Share.Converter.class,
      description =
          "Chance of even one false alarm among all queries; intervals hold the truth with the"
              + " rest (default: ${DEFAULT-VALUE}).")
  double alpha;

  /** Refuses what makes no sense. */
  void check() {
    if (!(alpha > 0 && alpha < 0.5)) {
      throw UserError.usage("--alpha must be above 0 and below 50%, not " + Share.text(alpha));
    }
    if (!(equivalence > 0 && equivalence < 1)) {
      throw UserError.usage(
          "--equivalence must be above 0 and below 100%, not " + Share.text(equivalence));
    }
  }

  Metric metric() {
    return new Metric(metric, higherIsBetter);
  }

  /** The options for the report's configuration. */
  Map<String, Object> configuration() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("metric", metric);
    all.put("higherIsBetter", higherIsBetter);
    all.put("equivalence", Share.text(equivalence));
    all.put("alpha", Share.text(alpha));
    all.put("power", Share.text(POWER));
    return all;
  }
}

package io.mooring.benchmarks.pool.jmh;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * One short JMH run in this JVM. Not forked: each fork would pin a pool anew, and the harness has
 * given every allocator a JVM of its own already.
 *
 * @param mode of {@code own}, {@code raw}, {@code ring} and {@code cross}
 * @param threads that run it together
 * @param seconds that are measured
 */
record JmhRun(String mode, int threads, double seconds) {

  /** Buffers per second, and latencies in nanoseconds where a single pair can be timed. */
  Map<String, Object> measure() throws RunnerException {
    Map<String, Object> answer = new LinkedHashMap<>();
    RunResult result = run(Mode.Throughput, TimeUnit.SECONDS);
    Result<?> rate =
        mode.equals("cross") ? result.getSecondaryResults().get("free") : result.getPrimaryResult();
    answer.put("operations", Math.round(rate.getScore() * seconds));
    answer.put("seconds", seconds);
    if (mode.equals("own") || mode.equals("raw")) {
      addLatency(answer);
    }
    return answer;
  }

  private void addLatency(Map<String, Object> answer) throws RunnerException {
    Statistics times =
        run(Mode.SampleTime, TimeUnit.NANOSECONDS).getPrimaryResult().getStatistics();
    answer.put("samples", times.getN());
    answer.put("p50_ns", Math.round(times.getPercentile(50)));
    answer.put("p90_ns", Math.round(times.getPercentile(90)));
    answer.put("p99_ns", Math.round(times.getPercentile(99)));
    answer.put("p999_ns", Math.round(times.getPercentile(99.9)));
    answer.put("max_ns", Math.round(times.getMax()));
  }

  private RunResult run(Mode how, TimeUnit unit) throws RunnerException {
    long millis = Math.max(10, Math.round(seconds * 1000));
    return new Runner(
            new OptionsBuilder()
                .include("^" + Pattern.quote(method()) + "$")
                .mode(how)
                .timeUnit(unit)
                .forks(0)
                .threads(threads)
                .warmupIterations(1)
                .warmupTime(TimeValue.milliseconds(Math.max(10, millis / 4)))
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(millis))
                .verbosity(VerboseMode.SILENT)
                .build())
        .runSingle();
  }

  private String method() {
    return switch (mode) {
      case "own" -> PairBenchmark.class.getName() + ".pair";
      case "raw" -> PairBenchmark.class.getName() + ".rawPair";
      case "ring" -> RingBenchmark.class.getName() + ".own";
      case "cross" -> RingBenchmark.class.getName() + ".cross";
      default -> throw new IllegalArgumentException("no mode '" + mode + "'");
    };
  }
}

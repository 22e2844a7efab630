package io.mooring.benchmarks.overlap;

import io.mooring.benchmarks.device.DeviceSession;
import io.mooring.benchmarks.device.DeviceSession.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The runs: each stage alone, and every method under every balance, in turns.
 *
 * @param amounts what the device computes
 */
record Overlaps(DeviceSession session, OverlapOptions options, Map<Balance, Long> amounts) {

  static final String PAGEABLE = "pageable";
  static final String SAME_THREAD = "pinned, same thread";
  static final String STAGED = "staged by one thread";
  static final String PIPELINE = "staged by several";

  /** The rows of stages alone. */
  static final String ALONE = "alone";

  static final String STAGING_ONE = "staging, one thread";
  static final String STAGING_SEVERAL = "staging, several threads";
  static final String COPYING = "copying to the device";

  static final List<String> METHODS = List.of(PAGEABLE, SAME_THREAD, STAGED, PIPELINE);

  private static final int STAGES_ALONE = 3;

  /** The arm of the computation alone. */
  static String computing(Balance balance) {
    return "computing, " + balance.text();
  }

  static int rows(OverlapOptions options) {
    int balances = Balance.values().length;
    int each = STAGES_ALONE + balances + balances * METHODS.size();
    return (options.common.warmup() + options.rounds()) * each;
  }

  void run() {
    rounds(options.common.warmup(), true);
    rounds(options.rounds(), false);
  }

  private void rounds(int count, boolean warmUp) {
    List<String> order = new ArrayList<>(METHODS);
    for (int round = 1; round <= count; round++) {
      alone(round, warmUp);
      for (Balance balance : Balance.values()) {
        for (String method : order) {
          session.sample(
              row(balance.text(), method, round, warmUp), request(balance, method, round));
        }
      }
      Collections.rotate(order, 1); // no method is always the first
    }
  }

  private void alone(int round, boolean warmUp) {
    session.sample(row(ALONE, STAGING_ONE, round, warmUp), "overlap stage 1");
    session.sample(
        row(ALONE, STAGING_SEVERAL, round, warmUp), "overlap stage " + options.threads());
    session.sample(row(ALONE, COPYING, round, warmUp), "overlap dma");
    amounts.forEach(
        (balance, amount) ->
            session.sample(
                row(ALONE, computing(balance), round, warmUp),
                "overlap compute " + options.load + " " + amount));
  }

  private Row row(String query, String arm, int round, boolean warmUp) {
    return new Row(query, arm, 1, round, warmUp, options.size().bytes());
  }

  private String request(Balance balance, String method, int round) {
    String load = options.load + " " + amounts.get(balance);
    int threads = method.equals(PIPELINE) ? options.threads() : 1;
    String name =
        method.equals(PAGEABLE)
            ? "pageable"
            : method.equals(SAME_THREAD) ? "same-thread" : "staged";
    long seed = Math.abs(options.common.seed() + 1000L * round + method.hashCode());
    return "overlap run %s %s %d %d".formatted(name, load, threads, seed);
  }
}

package io.mooring.benchmarks.p2p;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The measurements between so many GPUs.
 *
 * @param gpus at least two
 * @param bytes of a message
 */
record PeerPlan(int gpus, long bytes) {

  static final String AT_ONCE = "at-once";
  static final List<String> METHODS = List.of("left-right", "pairwise", AT_ONCE);
  static final List<String> SHAPES = List.of("line", "ring");
  static final List<String> HALO_MODES = List.of("overlapped", "in-turn", "compute", "exchange");

  /**
   * Messages that are timed together.
   *
   * @param query names them
   * @param gpus that take part
   * @param bytes that move
   * @param request for the native program, but for its seed
   */
  record Traffic(String query, int gpus, long bytes, String request) {}

  /** The query name of one pair and direction. */
  static String simplex(int from, int to) {
    return "GPU %d to %d".formatted(from, to);
  }

  static String exchange(String shape, String method) {
    return "exchange in a %s, %s".formatted(shape, method);
  }

  /** Pairs alone, pairs at the same time, and exchanges. */
  List<Traffic> traffic() {
    List<Traffic> all = new ArrayList<>();
    for (int from = 0; from < gpus; from++) {
      for (int to = 0; to < gpus; to++) {
        if (from != to) {
          all.add(send(simplex(from, to), 2, from + " " + to, 1));
        }
        if (from < to) {
          String both = "%d %d %d %d".formatted(from, to, to, from);
          all.add(send("GPU %d and %d, both ways".formatted(from, to), 2, both, 2));
        }
      }
    }
    all.addAll(concurrentPairs());
    all.addAll(exchanges());
    return all;
  }

  private Traffic send(String query, int taking, String pairs, int messages) {
    return new Traffic(
        query, taking, messages * bytes, "p2p send %d %%d %s".formatted(bytes, pairs));
  }

  /** Disjoint pairs of neighbours; with fewer than four GPUs there is only one. */
  private List<Traffic> concurrentPairs() {
    int pairs = gpus / 2;
    if (pairs < 2) {
      return List.of();
    }
    List<String> oneWay = new ArrayList<>();
    List<String> bothWays = new ArrayList<>();
    for (int pair = 0; pair < pairs; pair++) {
      int a = 2 * pair;
      oneWay.add(a + " " + (a + 1));
      bothWays.add("%d %d %d %d".formatted(a, a + 1, a + 1, a));
    }
    return List.of(
        send("all pairs", 2 * pairs, String.join(" ", oneWay), pairs),
        send("all pairs, both ways", 2 * pairs, String.join(" ", bothWays), 2 * pairs));
  }

  private List<Traffic> exchanges() {
    List<Traffic> all = new ArrayList<>();
    for (String shape : SHAPES) {
      int edges = shape.equals("ring") ? gpus : gpus - 1;
      for (String method : METHODS) {
        String request = "p2p exchange %s %s %d %d %%d".formatted(shape, method, gpus, bytes);
        all.add(new Traffic(exchange(shape, method), gpus, 2L * edges * bytes, request));
      }
    }
    return all;
  }

  /** The request with a seed in its place. */
  static String seeded(Traffic traffic, long seed) {
    return String.format(Locale.ROOT, traffic.request(), seed);
  }
}

package io.mooring.benchmarks.transfer;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.device.Device;
import io.mooring.benchmarks.device.DeviceSession;
import io.mooring.benchmarks.device.DeviceSession.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The copies: every kind of memory at every size and in every direction, in turns.
 *
 * @param kinds of host memory
 * @param sizes ascending
 * @param options everything else
 */
record Transfers(List<String> kinds, List<ByteSize> sizes, TransferOptions options) {

  static final String PAGEABLE = "pageable";
  static final String HOST_ALLOC = "cudaHostAlloc";
  static final String REGISTERED = "registered";
  static final String MOORING = "mooring";
  static final String WRITE_COMBINED = "write-combined";

  /** The reference: what a loop of cudaMemcpyAsync reaches that does nothing else. */
  static final String PLAIN_LOOP = "plain loop";

  static final List<String> KINDS =
      List.of(PAGEABLE, HOST_ALLOC, REGISTERED, MOORING, WRITE_COMBINED);

  static final List<String> WAYS = List.of("H2D", "D2H", "both");

  private static final int MOST_THREADS = 32;
  private static final long LOOP_BYTES = 1L << 30;

  /** The rows of one size and direction. */
  static String query(String way, ByteSize size) {
    return way + ", " + size.text();
  }

  /** Rounds times everything, the loop has no direction {@code both}. */
  int rows() {
    int copies = WAYS.size() * (kinds.size() + 1) - 1;
    return (options.common.warmup() + options.rounds()) * sizes.size() * copies;
  }

  /**
   * Measures; what cannot be had is recorded, and the others go on.
   *
   * @param warmedUp is called before the first measured copy
   */
  void run(DeviceSession session, Runnable warmedUp) {
    Device device = session.devices().get(options.device);
    long most = sizes.get(sizes.size() - 1).bytes();
    int threads = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
    session.ask("transfer setup %d %d %d".formatted(device.index(), most, threads));
    List<String> arms = open(session);
    rounds(session, arms, options.common.warmup(), true);
    warmedUp.run();
    rounds(session, arms, options.rounds(), false);
  }

  /** The arms whose memory could be had; the plain loop has that of cudaHostAlloc. */
  private List<String> open(DeviceSession session) {
    List<String> arms = new ArrayList<>();
    for (String kind : KINDS) {
      boolean wanted = kinds.contains(kind);
      if ((wanted || kind.equals(HOST_ALLOC)) && open(session, kind)) {
        if (kind.equals(HOST_ALLOC)) {
          arms.add(PLAIN_LOOP);
        }
        if (wanted) {
          arms.add(kind);
        }
      }
    }
    return arms;
  }

  private static boolean open(DeviceSession session, String kind) {
    Optional<String> remark =
        session.tryAsk("transfer open " + kind).map(answer -> answer.get("remark").asText());
    remark
        .filter(text -> !text.isEmpty())
        .ifPresent(text -> session.recording().note(kind + ": " + text));
    return remark.isPresent();
  }

  private void rounds(DeviceSession session, List<String> arms, int count, boolean warmUp) {
    List<String> order = new ArrayList<>(arms);
    for (int round = 1; round <= count; round++) {
      for (ByteSize size : sizes) {
        for (String way : WAYS) {
          for (String arm : order) {
            measure(session, arm, way, size, round, warmUp);
          }
        }
      }
      Collections.rotate(order, 1); // no arm is always the first
    }
  }

  private void measure(
      DeviceSession session, String arm, String way, ByteSize size, int round, boolean warmUp) {
    boolean both = way.equals("both");
    if (arm.equals(PLAIN_LOOP) && both) {
      return;
    }
    long bytes = both ? 2 * size.bytes() : size.bytes();
    Row row = new Row(query(way, size), arm, 1, round, warmUp, bytes);
    long seed = options.common.seed() + 1000L * round + arm.hashCode();
    session.sample(row, request(arm, way, size, Math.abs(seed)));
  }

  private static String request(String arm, String way, ByteSize size, long seed) {
    if (arm.equals(PLAIN_LOOP)) {
      long count = Math.max(4, Math.min(64, LOOP_BYTES / size.bytes()));
      return "transfer plain %s %d %d %d".formatted(way, size.bytes(), count, seed);
    }
    return "transfer copy %s %s %d %d".formatted(arm, way, size.bytes(), seed);
  }
}

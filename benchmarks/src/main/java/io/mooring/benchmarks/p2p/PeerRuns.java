package io.mooring.benchmarks.p2p;

import io.mooring.benchmarks.device.DeviceSession;
import io.mooring.benchmarks.device.DeviceSession.Row;
import java.util.List;

/**
 * The runs: everything without peer access and with it, in turns.
 *
 * @param plan what is sent
 * @param arms {@link #HOST}, and {@link #PEER} where there is a pair that can
 */
record PeerRuns(DeviceSession session, PeerOptions options, PeerPlan plan, List<String> arms) {

  static final String HOST = "no peer access";
  static final String PEER = "peer access";

  static String halo(String mode) {
    return "halo, " + mode;
  }

  static int rows(PeerOptions options, PeerPlan plan, int arms) {
    int each = plan.traffic().size() + PeerPlan.HALO_MODES.size();
    return (options.common.warmup() + options.rounds()) * arms * each;
  }

  void run() {
    session.ask("p2p setup %d %d".formatted(plan.gpus(), plan.bytes()));
    long words = options.haloRow.bytes() / Long.BYTES;
    session.ask(
        "p2p halo-setup %d %d %d %d"
            .formatted(plan.gpus(), options.haloRows, words, options.haloSteps));
    rounds(options.common.warmup(), true);
    rounds(options.rounds(), false);
  }

  private void rounds(int count, boolean warmUp) {
    for (int round = 1; round <= count; round++) {
      for (String arm : arms) {
        session.ask("p2p access " + (arm.equals(PEER) ? "on" : "off"));
        long seed = options.common.seed() + 1000L * round;
        for (PeerPlan.Traffic traffic : plan.traffic()) {
          Row row = new Row(traffic.query(), arm, traffic.gpus(), round, warmUp, traffic.bytes());
          session.sample(row, PeerPlan.seeded(traffic, seed));
        }
        halos(arm, round, warmUp, seed);
      }
    }
  }

  /** Bytes are those that neighbours send each other in all steps. */
  private void halos(String arm, int round, boolean warmUp, long seed) {
    long bytes = 2L * (plan.gpus() - 1) * options.haloRow.bytes() * options.haloSteps;
    for (String mode : PeerPlan.HALO_MODES) {
      Row row =
          new Row(halo(mode), arm, plan.gpus(), round, warmUp, mode.equals("compute") ? 0 : bytes);
      session.sample(row, "p2p halo " + mode + " " + seed);
    }
  }
}

package io.mooring.metrics;

import io.mooring.memory.PinnedPool;
import java.util.Objects;
import jdk.jfr.FlightRecorder;

/** Shows the pool of this process to the flight recorder. Thread-safe. */
public final class PoolRecording {
  private static boolean started;

  private PoolRecording() {}

  /** Writes the pool's usage into every recording from now on; later calls do nothing. */
  public static synchronized void start() {
    if (!started) {
      started = true;
      FlightRecorder.addPeriodicEvent(PoolUsageEvent.class, PoolRecording::recordUsage);
    }
  }

  private static void recordUsage() {
    new PoolUsageEvent(PinnedPool.stats()).commit();
    recordChunks();
  }

  /** The driver's threads are not Java's: what they did is told afterwards. */
  private static void recordChunks() {
    PinnedPool.takeRegistrations().forEach(chunk -> new ChunkRegistrationEvent(chunk).commit());
  }

  /** Writes what became of the pool's start, which has ended. */
  public static void poolStarted() {
    String refusal = Objects.requireNonNullElse(PinnedPool.refusal(), "");
    new PoolStartEvent(PinnedPool.stats(), refusal).commit();
    recordChunks();
  }
}

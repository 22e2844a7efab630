package io.mooring.metrics;

import io.mooring.memory.PinnedPool;
import java.util.Objects;
import jdk.jfr.FlightRecorder;

/** The flight recorder's events of the pool of this process. Thread-safe. */
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
    recordRegistrations();
  }

  /** Native threads register: their events are written afterwards. */
  private static void recordRegistrations() {
    PinnedPool.takeRegistrations().forEach(extent -> new PoolRegistrationEvent(extent).commit());
  }

  /** Writes the event of the pool's start, once that has ended. */
  public static void poolStarted() {
    String refusal = Objects.requireNonNullElse(PinnedPool.refusal(), "");
    new PoolStartEvent(PinnedPool.stats(), refusal).commit();
    recordRegistrations();
  }
}

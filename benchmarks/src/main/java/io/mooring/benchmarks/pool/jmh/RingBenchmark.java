package io.mooring.benchmarks.pool.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Control;

/** Buffers that are freed some time after they were allocated, by the same thread or by another. */
public class RingBenchmark {

  /** A ring for each thread. */
  @State(Scope.Thread)
  public static class OwnRing {
    private final BatchRing ring = new BatchRing();

    /** Gives back what is left. */
    @TearDown(Level.Iteration)
    public void drain() throws Exception {
      RingBenchmark.drain(ring);
    }
  }

  /** A ring for each pair of threads. */
  @State(Scope.Group)
  public static class SharedRing {
    private final BatchRing ring = new BatchRing();

    /** Gives back what is left. */
    @TearDown(Level.Iteration)
    public void drain() throws Exception {
      RingBenchmark.drain(ring);
    }
  }

  /** Frees the oldest batch once the ring is full, and allocates another. */
  @Benchmark
  @OperationsPerInvocation(BatchRing.BATCH)
  public void own(OwnRing own, Sizes sizes) throws Exception {
    if (own.ring.isFull()) {
      own.ring.empty();
    }
    own.ring.fill(Arms.current(), sizes);
  }

  /** The thread that allocates. */
  @Benchmark
  @Group("cross")
  @GroupThreads(1)
  @OperationsPerInvocation(BatchRing.BATCH)
  public void allocate(SharedRing shared, Sizes sizes, Control control) {
    for (int turn = 1; shared.ring.isFull(); turn++) {
      if (control.stopMeasurement) {
        return;
      }
      pause(turn);
    }
    shared.ring.fill(Arms.current(), sizes);
  }

  /** The thread that frees. */
  @Benchmark
  @Group("cross")
  @GroupThreads(1)
  @OperationsPerInvocation(BatchRing.BATCH)
  public void free(SharedRing shared, Control control) throws Exception {
    for (int turn = 1; shared.ring.isEmpty(); turn++) {
      if (control.stopMeasurement) {
        return;
      }
      pause(turn);
    }
    shared.ring.empty();
  }

  private static void drain(BatchRing ring) throws Exception {
    while (!ring.isEmpty()) {
      ring.empty();
    }
  }

  /** Spins for a little while, then lets others run: there may be more threads than cores. */
  private static void pause(int turn) {
    if (turn % 64 == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }
}

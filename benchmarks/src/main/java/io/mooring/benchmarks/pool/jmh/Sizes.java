package io.mooring.benchmarks.pool.jmh;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Sizes of one thread, uniform from 1 KiB to 1 MiB, drawn beforehand. In bytes. */
@State(Scope.Thread)
public class Sizes {

  private static final int COUNT = 4096;
  private static final int LEAST = 1 << 10;
  private static final int MOST = 1 << 20;

  /** Seed of the next thread; set before each run. */
  static final AtomicLong NEXT_SEED = new AtomicLong();

  private final int[] table =
      new SplittableRandom(NEXT_SEED.getAndIncrement()).ints(COUNT, LEAST, MOST + 1).toArray();
  private int turn;

  int next() {
    return table[turn++ & (COUNT - 1)];
  }
}

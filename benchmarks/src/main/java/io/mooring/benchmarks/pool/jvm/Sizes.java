package io.mooring.benchmarks.pool.jvm;

import java.util.SplittableRandom;

/** Sizes of one thread, uniform from 1 KiB to 1 MiB, drawn beforehand. In bytes. */
final class Sizes {

  private static final int COUNT = 4096;
  private static final int LEAST = 1 << 10;
  private static final int MOST = 1 << 20;

  private final int[] table;
  private int turn;

  Sizes(long seed) {
    table = new SplittableRandom(seed).ints(COUNT, LEAST, MOST + 1).toArray();
  }

  int next() {
    return table[turn++ & (COUNT - 1)];
  }
}

package io.mooring.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * What passed through one size class of the pool so far, Java's buffers and libcudf's.
 *
 * @param blockBytes what each block takes
 */
public record SizeClassStats(long blockBytes, long allocations, long frees) {
  private static final int FIGURES = 3;

  static List<SizeClassStats> decode(long[] figures) {
    List<SizeClassStats> classes = new ArrayList<>(figures.length / FIGURES);
    for (int i = 0; i < figures.length; i += FIGURES) {
      classes.add(new SizeClassStats(figures[i], figures[i + 1], figures[i + 2]));
    }
    return List.copyOf(classes);
  }

  /** Blocks in use. */
  public long inUse() {
    return allocations - frees;
  }
}

package io.mooring.conf;

import java.util.OptionalLong;

/**
 * The memory of an executor by Spark's settings, in bytes. Immutable.
 *
 * @param besideHeap what Spark keeps beside the heap: its off-heap memory, Python
 * @param container what Spark asks a cluster manager for that ends processes which take more; empty
 *     where none does
 */
public record SparkShare(long besideHeap, OptionalLong container) {
  /** The share of a process about which Spark's settings say nothing. */
  public static final SparkShare NONE = new SparkShare(0, OptionalLong.empty());
}

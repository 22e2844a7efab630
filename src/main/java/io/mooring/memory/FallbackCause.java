package io.mooring.memory;

/**
 * Why a buffer did not come from the pool. Names and order are those of {@code refusal_cause} in
 * pool.hpp, whose codes count from 1; PoolStatTest compares them.
 */
public enum FallbackCause {
  /** There is no pool. */
  OFF,
  /** The pool is still being filled. */
  STARTING,
  /** Every page is in use. */
  EXHAUSTED,
  /** There are pages enough, but no run of them that is long enough. */
  FRAGMENTED,
  /** The system refused to pin memory. */
  REFUSED;

  private static final FallbackCause[] VALUES = values();

  /** The cause's code in native code. */
  int code() {
    return ordinal() + 1;
  }

  /**
   * The cause that {@link io.mooring.jni.PoolJni#alloc} has returned in place of an address: its
   * code, negated, which no address is.
   */
  static FallbackCause ofRefusal(long negatedCode) {
    return VALUES[(int) -negatedCode - 1];
  }
}

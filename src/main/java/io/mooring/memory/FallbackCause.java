package io.mooring.memory;

/** Why a buffer did not come from the pool. The native side uses the same order, from 1. */
public enum FallbackCause {
  /** There is no pool. */
  OFF,
  /** The pool is still being brought into use. */
  STARTING,
  /** Every page is in use. */
  EXHAUSTED,
  /** There are pages enough, but no run that is long enough. */
  FRAGMENTED,
  /** The system refused to pin memory. */
  REFUSED;

  private static final FallbackCause[] VALUES = values();

  int code() {
    return ordinal() + 1;
  }

  static FallbackCause ofCode(long code) {
    return VALUES[(int) code - 1];
  }
}

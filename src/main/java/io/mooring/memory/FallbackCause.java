package io.mooring.memory;

/** Why a buffer did not come from the pool. The native side uses the same codes. */
public enum FallbackCause {
  /** There is no pool. */
  OFF(1),
  /** The pool is still being brought into use. */
  STARTING(2),
  /** Every page is in use. */
  EXHAUSTED(3),
  /** There are pages enough, but no run that is long enough. */
  FRAGMENTED(4),
  /** The system refused to pin memory. */
  REFUSED(5);

  private static final FallbackCause[] VALUES = values();

  private final int code;

  FallbackCause(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** Its place among the causes, from 0. */
  int index() {
    return code - 1;
  }

  static FallbackCause ofCode(long code) {
    return VALUES[(int) code - 1];
  }
}

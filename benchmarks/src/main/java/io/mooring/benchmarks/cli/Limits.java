package io.mooring.benchmarks.cli;

import java.util.List;

/** Least values of numeric options. */
public final class Limits {

  private Limits() {}

  /** Refuses a value below the least, in one line that names the option. */
  public static void atLeast(String option, int least, int value) {
    if (value < least) {
      throw UserError.usage(option + " must be " + least + " or more, not " + value);
    }
  }

  /** Refuses a list with a value below the least. */
  public static void atLeast(String option, int least, List<Integer> values) {
    values.forEach(value -> atLeast(option, least, value));
  }

  /** Refuses a size that is no multiple of a page of 4 KiB, which verified copies need. */
  public static void multipleOfPage(String option, ByteSize size) {
    if (size.bytes() % 4096 != 0) {
      throw UserError.usage(option + " must be a multiple of 4 KiB, not " + size.text());
    }
  }
}

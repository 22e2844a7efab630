package io.mooring.benchmarks.nds;

/** The days and keys of the suite: five years of sales in a calendar of two centuries. */
final class Calendar {

  /** Key of 1900-01-02, the first day of {@code date_dim}. */
  static final int FIRST_KEY = 2_415_022;

  static final int DAYS = 73_049;

  /** Key of 1998-01-02, the first day of sales. */
  static final int FIRST_SALE = 2_450_816;

  static final int DAYS_OF_SALES = 1826;

  private Calendar() {}
}

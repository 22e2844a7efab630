package io.mooring.benchmarks.cli;

/** How the command line separates the values of a list. */
public final class Commas {

  /** A comma, unless it stands in brackets as in {@code local-cluster[2,16,20480]}. */
  public static final String OUTSIDE_BRACKETS = ",(?![^\\[]*\\])";

  private Commas() {}
}

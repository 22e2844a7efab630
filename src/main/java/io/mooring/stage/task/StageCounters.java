package io.mooring.stage.task;

/** Counts of a stage in one task. Belongs to the thread of its task. */
public final class StageCounters {
  private long rowsScanned;
  private long rowsOut;
  private long sparkSplits;
  private long operatorNanos;
  private long[] rowsOfOperators = new long[0];

  /** Rows that the scan has handed to the operators on the GPU. */
  public long rowsScanned() {
    return rowsScanned;
  }

  /** Rows that have left the stage, from either side. */
  public long rowsOut() {
    return rowsOut;
  }

  /** Splits that Spark's operators have computed. */
  public long sparkSplits() {
    return sparkSplits;
  }

  /** Time in operators on the GPU, as the task saw it. */
  public long operatorNanos() {
    return operatorNanos;
  }

  /** Rows that came out of each operator on the GPU, bottom first; empty before the first. */
  public long[] rowsOfOperators() {
    return rowsOfOperators;
  }

  void scanned(long rows) {
    rowsScanned += rows;
  }

  void out() {
    rowsOut++;
  }

  void fellBack() {
    sparkSplits++;
  }

  void operated(long nanos) {
    operatorNanos += nanos;
  }

  void rowsOfOperators(long[] rows) {
    rowsOfOperators = rows;
  }
}

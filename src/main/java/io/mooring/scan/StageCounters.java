package io.mooring.scan;

/** What a stage has done so far in one task. Belongs to the thread of its task. */
public final class StageCounters {
  private long rowsScanned;
  private long rowsOut;
  private long sparkSplits;
  private long operatorNanos;

  /** Rows that the scan has handed to the operators on the GPU. */
  public long rowsScanned() {
    return rowsScanned;
  }

  /** Rows that have left the stage, from either side. */
  public long rowsOut() {
    return rowsOut;
  }

  /** Stretches of files that Spark's operators have computed. */
  public long sparkSplits() {
    return sparkSplits;
  }

  /** Time in operators on the GPU, as the task saw it. */
  public long operatorNanos() {
    return operatorNanos;
  }

  void scanned(long rows) {
    rowsScanned += rows;
  }

  void out() {
    rowsOut++;
  }

  void leftToSpark() {
    sparkSplits++;
  }

  void operated(long nanos) {
    operatorNanos += nanos;
  }
}

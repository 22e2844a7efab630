package io.mooring.ui;

import java.util.List;

/**
 * A query that scans Parquet, as the tab shows it. Immutable.
 *
 * @param parts its scans, stages and build sides, in the order of the plan
 * @param more how many parts there are beyond these
 * @param others its other operators: Spark runs them
 */
record QueryView(
    long id,
    String description,
    String status,
    List<PartView> parts,
    int more,
    List<String> others) {

  /**
   * A file scan of a query, with the operators above it that are in its stage; a final stage; or a
   * build side that every executor reads. Immutable.
   *
   * @param depth the number of build sides that it is in
   * @param plan its line of the plan
   * @param readBy who read the files, or the rows of the build side
   * @param stage the operators of the stage, and what they counted; empty without a stage
   * @param why the reasons for what did not run on the GPU
   * @param figures its other metrics that are not zero, each with its name
   */
  record PartView(
      int depth,
      String name,
      String plan,
      String readBy,
      List<String> stage,
      List<String> why,
      List<String> figures) {
    /** The part in so many build sides. */
    PartView within(int buildSides) {
      return new PartView(buildSides, name, plan, readBy, stage, why, figures);
    }
  }

  /** Who read the files of a scan. */
  enum Engine {
    GPU("GPU"),
    CPU("Spark's reader"),
    BOTH("GPU and Spark's reader"),
    NOBODY("no file read");

    private final String label;

    Engine(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }

    /** Whether Spark's reader had to read what the GPU was to read. */
    boolean fell() {
      return this == CPU || this == BOTH;
    }

    static Engine of(long gpuSplits, long cpuSplits) {
      if (gpuSplits > 0) {
        return cpuSplits > 0 ? BOTH : GPU;
      }
      return cpuSplits > 0 ? CPU : NOBODY;
    }
  }
}

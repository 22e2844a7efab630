package io.mooring.ui;

import java.util.List;

/**
 * A query with its Parquet scans, as the tab shows it. Immutable.
 *
 * @param others its operators that are no scans: they run on Spark's rows
 */
record QueryView(
    long id, String description, String status, List<ScanView> scans, List<String> others) {

  /**
   * A file scan of a query, as the tab shows it. Immutable.
   *
   * @param why the reasons for what did not run on the GPU
   * @param figures its metrics that are not zero, each with its name
   * @param plan the scan's line of the plan
   */
  record ScanView(
      String name, Engine engine, List<String> why, List<String> figures, String plan) {}

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

    static Engine of(long gpuSplits, long cpuSplits) {
      if (gpuSplits > 0) {
        return cpuSplits > 0 ? BOTH : GPU;
      }
      return cpuSplits > 0 ? CPU : NOBODY;
    }
  }
}

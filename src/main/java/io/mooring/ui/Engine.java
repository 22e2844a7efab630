package io.mooring.ui;

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

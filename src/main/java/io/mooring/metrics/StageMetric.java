package io.mooring.metrics;

/** The metrics of stages and of build sides that every executor reads: on their plan nodes. */
public enum StageMetric {
  ROWS_IN(
      StageNode.STAGE,
      "stageRowsIn",
      MetricUnit.COUNT,
      "rows into operators on the GPU",
      "Rows after the scan's own filter."),
  ROWS_OUT(
      StageNode.STAGE,
      "stageRowsOut",
      MetricUnit.COUNT,
      "rows out of the stage",
      "Rows that Spark gets, from the GPU and from Spark's operators."),
  SPARK_SPLITS(
      StageNode.STAGE,
      "sparkSplits",
      MetricUnit.COUNT,
      "file splits computed by Spark's operators",
      "Splits, or parts of them, that fell back; 1 for each task that fell back as a whole."),
  OPERATOR_TIME(
      StageNode.STAGE,
      "operatorNanos",
      MetricUnit.NANOSECONDS,
      "time of operators on the GPU",
      "The tasks' time without decoding and copying back."),
  FINAL_GROUPS(
      StageNode.FINAL_STAGE,
      "finalGroups",
      MetricUnit.COUNT,
      "partial groups merged on the GPU",
      "The groups that the threads of a task have made of their files."),
  OTHER_GPU_GROUPS(
      StageNode.FINAL_STAGE,
      "otherGpuGroups",
      MetricUnit.COUNT,
      "partial groups made on other GPUs",
      "Those of them that other GPUs of the process have made than that of the task."),
  FINAL_ROWS_OUT(
      StageNode.FINAL_STAGE,
      "finalRowsOut",
      MetricUnit.COUNT,
      "rows out of the final operators on the GPU",
      "The results; 0 where Spark's operators compute them."),
  FINAL_OPERATOR_TIME(
      StageNode.FINAL_STAGE,
      "operatorNanos",
      MetricUnit.NANOSECONDS,
      "time of operators on the GPU",
      "Time to merge the groups and of the operators above."),
  BUILDS(
      StageNode.REPLICATED,
      "builds",
      MetricUnit.COUNT,
      "builds",
      "Executors that have read the build side."),
  BUILD_ROWS(
      StageNode.REPLICATED,
      "buildRows",
      MetricUnit.COUNT,
      "rows of the build side, read by all executors",
      "The sum over the executors."),
  BUILD_SIZE(
      StageNode.REPLICATED,
      "dataSize",
      MetricUnit.BYTES,
      "data size",
      "The bytes of these rows, likewise."),
  BUILD_TIME(
      StageNode.REPLICATED,
      "buildTime",
      MetricUnit.MILLISECONDS,
      "time to build",
      "Time of the task that read the build side; other tasks that needed it waited.");

  private final StageNode node;
  private final String key;
  private final MetricUnit unit;
  private final String label;
  private final String meaning;

  StageMetric(StageNode node, String key, MetricUnit unit, String label, String meaning) {
    this.node = node;
    this.key = key;
    this.unit = unit;
    this.label = label;
    this.meaning = meaning;
  }

  /** The node that has it. */
  public StageNode node() {
    return node;
  }

  /** Its name to programs. */
  public String key() {
    return key;
  }

  /** The unit of the raw number. */
  public MetricUnit unit() {
    return unit;
  }

  /** Its name on the plan node and in the event log. */
  public String label() {
    return label;
  }

  /** One or two sentences of Markdown. */
  public String meaning() {
    return meaning;
  }
}

package io.mooring.metrics;

/** The nodes that stages add to plans of Spark. */
public enum StageNode {
  STAGE("MooringStage"),
  FINAL_STAGE("MooringFinalStage"),
  REPLICATED("Replicated");

  private final String label;

  StageNode(String label) {
    this.label = label;
  }

  /** Its name in plans. */
  public String label() {
    return label;
  }
}

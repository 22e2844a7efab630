package io.mooring.stage;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.execution.CollapseCodegenStages;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.SparkPlan;
import scala.jdk.javaapi.CollectionConverters;

/** What a stage has replaced, as Spark would execute it. */
final class ReplacedPlan {
  private ReplacedPlan() {}

  /** With the steps that Spark puts in behind the rule that makes stages. */
  static SparkPlan executable(SparkPlan replaced) {
    return new CollapseCodegenStages(new AtomicInteger()).apply(ofRows(replaced));
  }

  private static SparkPlan ofRows(SparkPlan plan) {
    if (plan.children().isEmpty()) {
      return plan.supportsColumnar() ? new ColumnarToRowExec(plan) : plan;
    }
    List<SparkPlan> children =
        CollectionConverters.asJava(plan.children()).stream().map(ReplacedPlan::ofRows).toList();
    return plan.withNewChildren(CollectionConverters.asScala(children).toList());
  }
}

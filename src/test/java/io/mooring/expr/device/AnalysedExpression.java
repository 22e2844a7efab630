package io.mooring.expr.device;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BindReferences;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.package$;
import org.apache.spark.sql.catalyst.plans.logical.LeafNode;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * An expression as Spark analyses and optimises it, over a table of rows.
 *
 * @param input the columns of the table
 */
record AnalysedExpression(Expression expression, List<Attribute> input) {
  /** Makes rows a table that Spark cannot fold into a plan. */
  static void table(SparkSession spark, String name, List<Row> rows, StructType schema) {
    spark
        .createDataFrame(spark.createDataFrame(rows, schema).toJavaRDD(), schema)
        .createOrReplaceTempView(name);
  }

  /** The expression, unless the optimiser left none, or several steps. */
  static Optional<AnalysedExpression> of(SparkSession spark, String sql, String table) {
    LogicalPlan plan =
        spark.sql("select " + sql + " as x from " + table).queryExecution().optimizedPlan();
    if (!(plan instanceof Project project) || !(project.child() instanceof LeafNode)) {
      return Optional.empty();
    }
    return Optional.of(
        new AnalysedExpression(
            (Expression) project.projectList().head(),
            CollectionConverters.asJava(project.child().output())));
  }

  /** What Spark's interpreter evaluates. */
  Expression bound() {
    return BindReferences.bindReference(
        expression,
        package$.MODULE$.AttributeSeq(CollectionConverters.asScala(input).toSeq()),
        false);
  }

  /** All expressions of which it is made, the smallest first, and itself. */
  List<AnalysedExpression> parts() {
    List<Expression> found = new ArrayList<>();
    collect(expression, found);
    return found.stream()
        .sorted(Comparator.comparingInt(AnalysedExpression::size))
        .map(part -> new AnalysedExpression(part, input))
        .toList();
  }

  private static void collect(Expression part, List<Expression> found) {
    found.add(part);
    CollectionConverters.asJava(part.children()).forEach(child -> collect(child, found));
  }

  private static int size(Expression part) {
    return 1
        + CollectionConverters.asJava(part.children()).stream()
            .mapToInt(AnalysedExpression::size)
            .sum();
  }
}

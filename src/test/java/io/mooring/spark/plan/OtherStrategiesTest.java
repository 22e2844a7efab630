package io.mooring.spark.plan;

import io.mooring.catalyst.ScalaLists;
import io.mooring.testing.Sessions;
import io.mooring.testing.WithAndWithout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** Another extension's strategy that plans filters and projections one by one. */
class OtherStrategiesTest {
  @TempDir static Path folder;
  private static SparkSession spark;

  /** Adds the strategy; Spark makes an object of this class by its name. */
  public static final class OneByOne extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
      extensions.injectPlannerStrategy(
          new AbstractFunction1<>() {
            @Override
            public SparkStrategy apply(SparkSession session) {
              return new Strategy();
            }
          });
      return BoxedUnit.UNIT;
    }
  }

  private static final class Strategy extends SparkStrategy {
    @Override
    public Seq<SparkPlan> apply(LogicalPlan plan) {
      if (plan instanceof Project project) {
        return ScalaLists.seq(
            List.of(new ProjectExec(project.projectList(), planLater(project.child()))));
      }
      return ScalaLists.seq(
          plan instanceof Filter filter
              ? List.<SparkPlan>of(new FilterExec(filter.condition(), planLater(filter.child())))
              : List.<SparkPlan>of());
    }
  }

  @BeforeAll
  static void start() {
    spark =
        Sessions.transparent(
            folder.resolve("warehouse"), Map.of("spark.sql.extensions", OneByOne.class.getName()));
    String path = folder.resolve("t").toString();
    spark.range(60).selectExpr("id", "id % 5 k").write().partitionBy("k").parquet(path);
    spark.read().parquet(path).createOrReplaceTempView("t");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select k, sum(id) from t where k = (select max(k) from t) group by k",
        "select k from t where k >= (select max(k) from t) or k = 0",
        "select id + 1, k from t where id > (select avg(id) from t) and k in (1, 2)"
      })
  void rows_ofScansWithSubqueries_areSparks(String query) {
    WithAndWithout.run(spark, query);
  }
}

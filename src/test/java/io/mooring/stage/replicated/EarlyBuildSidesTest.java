package io.mooring.stage.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.catalyst.ProductExec;
import io.mooring.catalyst.ScalaLists;
import io.mooring.testing.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** When the driver executes build sides, and where. */
@Timeout(60)
class EarlyBuildSidesTest {
  private SparkSession spark;
  private SparkPlan range;

  @BeforeEach
  void start() {
    spark = Sessions.withPlugin(1, Map.of("spark.mooring.pinnedPool.size", "64m"));
    range = spark.range(3).queryExecution().executedPlan();
  }

  @AfterEach
  void stop() {
    inQuery(null);
    spark.stop();
  }

  /** A node whose rows a test makes. Public, so that Spark can copy it. */
  public static final class TestRowsExec extends ProductExec {
    private static final long serialVersionUID = 1;
    private final String table;
    private final transient Seq<Attribute> output;
    private final transient Supplier<RDD<InternalRow>> rows;

    public TestRowsExec(String table, Seq<Attribute> output, Supplier<RDD<InternalRow>> rows) {
      this.table = table;
      this.output = output;
      this.rows = rows;
    }

    @Override
    public Seq<Attribute> output() {
      return output;
    }

    @Override
    public Seq<SparkPlan> children() {
      return ScalaLists.empty();
    }

    @Override
    public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
      return this;
    }

    @Override
    public RDD<InternalRow> doExecute() {
      return rows.get();
    }

    @Override
    protected Object[] arguments() {
      return new Object[] {table, output, rows};
    }

    @Override
    protected List<Object> shown() {
      return List.of();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof TestRowsExec rows && table.equals(rows.table);
    }

    @Override
    public int hashCode() {
      return table.hashCode();
    }
  }

  @SuppressWarnings("unchecked") // Scala's types are the same
  private ReplicatedExec buildSide(String table, Supplier<RDD<InternalRow>> rows) {
    Seq<Attribute> output = (Seq<Attribute>) range.output();
    Seq<Expression> keys =
        ScalaLists.seq(new ArrayList<Expression>(CollectionConverters.asJava(range.output())));
    return new ReplicatedExec(
        new TestRowsExec(table, output, rows),
        keys,
        new BuildSize(3, 24, 1000),
        ReplacedExchange.SHUFFLE);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void inQuery(String execution) {
    spark.sparkContext().setLocalProperty(SQLExecution.EXECUTION_ID_KEY(), execution);
  }

  @Test
  void buildSidesOfAPlanAreExecutedSideBySide() {
    CountDownLatch both = new CountDownLatch(2);
    AtomicInteger executions = new AtomicInteger();
    Supplier<RDD<InternalRow>> rows =
        () -> {
          executions.incrementAndGet();
          both.countDown();
          await(both);
          return range.execute();
        };
    List<ReplicatedExec> sides = List.of(buildSide("a", rows), buildSide("b", rows));
    sides.forEach(SparkPlan::prepare);
    await(both);
    sides.forEach(side -> assertThat(side.executeBroadcast()).isNotNull());
    assertThat(executions).hasValue(2);
  }

  /** By the query's id a broadcast is shared, and freed when the query ends. */
  @Test
  void theyAreExecutedWithThePropertiesOfTheirQuery() {
    inQuery("71");
    List<Object> seen = new ArrayList<>();
    CountDownLatch executed = new CountDownLatch(1);
    ReplicatedExec side =
        buildSide(
            "a",
            () -> {
              seen.add(spark.sparkContext().getLocalProperty(SQLExecution.EXECUTION_ID_KEY()));
              seen.add(SparkSession.active());
              executed.countDown();
              return range.execute();
            });
    side.prepare();
    await(executed);
    assertThat(side.executeBroadcast()).isNotNull();
    assertThat(seen).containsExactly("71", spark);
  }

  @Test
  void ofEqualBuildSidesOneIsExecuted() {
    inQuery("72");
    AtomicInteger executions = new AtomicInteger();
    Supplier<RDD<InternalRow>> rows =
        () -> {
          executions.incrementAndGet();
          return range.execute();
        };
    List<ReplicatedExec> sides =
        List.of(buildSide("a", rows), buildSide("a", rows), buildSide("b", rows));
    sides.forEach(SparkPlan::prepare);
    List<Object> all = new ArrayList<>();
    sides.forEach(side -> all.add(side.executeBroadcast()));
    assertThat(all.get(0)).isSameAs(all.get(1)).isNotSameAs(all.get(2));
    assertThat(executions).hasValue(2);
  }

  /** The next one that needs the build side tries again. */
  @Test
  void aBuildSideThatFailedIsNotShared() {
    inQuery("73");
    ReplicatedExec fails =
        buildSide(
            "a",
            () -> {
              throw new IllegalStateException("no such files");
            });
    assertThatThrownBy(fails::executeBroadcast).hasMessage("no such files");
    assertThat(buildSide("a", range::execute).executeBroadcast()).isNotNull();
  }

  @Test
  void anErrorIsThatOfWhoNeedsTheBuildSide() {
    CountDownLatch failed = new CountDownLatch(1);
    ReplicatedExec side =
        buildSide(
            "a",
            () -> {
              failed.countDown();
              throw new IllegalStateException("no such files");
            });
    side.prepare();
    await(failed);
    assertThatThrownBy(side::executeBroadcast)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no such files");
  }
}

package io.mooring.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.session.GpuAvailability;
import io.mooring.stage.MooringStageExec;
import io.mooring.stage.StageExec;
import io.mooring.stage.program.JoinSides;
import io.mooring.stage.replicated.ReplicatedExec;
import io.mooring.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.aggregate.Final$;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.joins.BaseJoinExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.ShuffledJoin;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Plans of the queries of TPC-DS as they are where an executor has a GPU; nothing is executed. The
 * folder is that of {@link TpcdsTest}; the table is left in {@code target/tpcds-stages.md}, the
 * plans beside it.
 */
@EnabledIfSystemProperty(named = "mooring.test.tpcds", matches = ".+")
class TpcdsStagesTest {
  private static final Path DATA = Path.of(System.getProperty("mooring.test.tpcds", "."));
  private static final Path TARGET = Path.of(System.getProperty("mooring.basedir", "."), "target");

  @TempDir Path folder;

  @Test
  void queriesAreMadeOfStages() throws IOException {
    Map<Path, StructType> schemas = schemas();
    SparkSession spark = Sessions.planningForGpu(Map.of());
    try {
      schemas.forEach(
          (table, schema) ->
              spark
                  .read()
                  .schema(schema)
                  .parquet(table.toString())
                  .createOrReplaceTempView(TpcdsTest.table(table)));
      List<String> rows = new ArrayList<>();
      int count = 0;
      Files.createDirectories(TARGET.resolve("tpcds-plans"));
      for (Path query : TpcdsTest.list(DATA.resolve("queries"), ".sql")) {
        SparkPlan plan = spark.sql(TpcdsResult.limitedSql(query)).queryExecution().executedPlan();
        String name = query.getFileName().toString().replace(".sql", "");
        Files.writeString(TARGET.resolve("tpcds-plans").resolve(name + ".txt"), plan.toString());
        TpcdsStages stages = TpcdsStages.of(plan);
        count += stages.stages();
        rows.add(stages.row(name));
        Files.write(TARGET.resolve("tpcds-stages.md"), rows);
      }
      assertThat(count).isGreaterThan(rows.size());
    } finally {
      spark.stop();
      GpuAvailability.clearReports();
    }
  }

  /** By a session of its own: to find them out takes a task. */
  private Map<Path, StructType> schemas() throws IOException {
    SparkSession spark = Sessions.transparent(folder.resolve("warehouse"), Map.of());
    try {
      Map<Path, StructType> schemas = new LinkedHashMap<>();
      for (Path table : TpcdsTest.list(DATA, ".parquet")) {
        schemas.put(table, spark.read().parquet(table.toString()).schema());
      }
      return schemas;
    } finally {
      spark.stop();
    }
  }

  /** What of a plan is in stages and what is not. */
  private static final class TpcdsStages {
    // They join, group or multiply rows: what a stage is there for.
    private static final List<String> OTHERS = List.of("Expand", "Union", "Window", "Generate");

    // Parts of the names of stages and scans.
    private static final Pattern REASON =
        Pattern.compile(
            "(ends below: |exchanges groups: ).*?(?= over BatchScan)|exchanged for a join: [^)]*");
    private static final int MOST_FIELDS = 25;

    private int stages;
    private int joins;
    private int replicated;
    private final Map<String, Integer> outside = new TreeMap<>();
    private final Set<String> reasons = new TreeSet<>();

    static TpcdsStages of(SparkPlan plan) {
      TpcdsStages found = new TpcdsStages();
      found.visit(plan);
      return found;
    }

    private void visit(SparkPlan node) {
      Matcher reason = REASON.matcher(node.simpleString(MOST_FIELDS));
      while (reason.find()) {
        reasons.add(reason.group());
      }
      if (node instanceof StageExec stage) {
        stages += node instanceof MooringStageExec ? 1 : 0;
        countJoins(stage.replaced());
      } else {
        replicated += node instanceof ReplicatedExec ? 1 : 0;
        String name = name(node);
        if (!name.isEmpty()) {
          outside.merge(name, 1, Integer::sum);
        }
      }
      CollectionConverters.asJava(node.children()).forEach(this::visit);
      CollectionConverters.asJava(node.subqueries()).forEach(this::visit);
    }

    private void countJoins(SparkPlan replaced) {
      SparkPlan node = replaced;
      while (!node.children().isEmpty()) {
        joins += node instanceof BroadcastHashJoinExec ? 1 : 0;
        node = JoinSides.streamed(node);
      }
    }

    /** The kind of an operator that a stage could have replaced; empty for all others. */
    private static String name(SparkPlan node) {
      if (node instanceof ShuffledJoin) {
        return "join with an exchange";
      } else if (node instanceof BaseJoinExec) {
        return "join with a broadcast";
      } else if (node instanceof BaseAggregateExec aggregate && !merges(aggregate)) {
        return "first step of an aggregate";
      }
      return OTHERS.stream().filter(node.nodeName()::startsWith).findFirst().orElse("");
    }

    private static boolean merges(BaseAggregateExec aggregate) {
      return aggregate.requiredChildDistributionExpressions().isDefined()
          || CollectionConverters.asJava(aggregate.aggregateExpressions()).stream()
              .anyMatch(it -> it.mode() == Final$.MODULE$);
    }

    int stages() {
      return stages;
    }

    /** For a table in Markdown. */
    String row(String query) {
      String others =
          outside.entrySet().stream()
              .map(it -> it.getValue() + " " + it.getKey())
              .collect(Collectors.joining(", "));
      return "| "
          + String.join(
              " | ",
              query,
              "" + stages,
              "" + joins,
              "" + replicated,
              others.isEmpty() ? "nothing" : others,
              String.join("; ", reasons))
          + " |";
    }
  }
}

package io.mooring.expr.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.RandomCases;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Functions of timestamps around changes of offsets give Spark's values in all zones. */
@RequiresGpu
@Tag("random")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ZonedTimesTest {
  private static final int ZONES = RandomCases.of("mooring.test.zones", 30);
  private static final int ROWS = 2_000;
  private static final List<String> EXPRESSIONS =
      List.of(
          "hour(ts)",
          "minute(ts)",
          "second(ts)",
          "cast(ts as date)",
          "cast(d as timestamp)",
          "year(ts)",
          "date_trunc('microsecond', ts)",
          "date_trunc('millisecond', ts)",
          "date_trunc('second', ts)",
          "date_trunc('minute', ts)",
          "date_trunc('hour', ts)",
          "date_trunc('day', ts)",
          "date_trunc('week', ts)",
          "date_trunc('month', ts)",
          "date_trunc('quarter', ts)",
          "date_trunc('year', ts)",
          "hour(date_trunc('day', ts))",
          "unix_timestamp(ts)",
          "unix_timestamp(d)",
          "unix_seconds(ts)",
          "unix_millis(ts)",
          "unix_micros(ts)",
          "cast(ts as bigint)",
          "cast(case when ts < timestamp'2038-01-01' and ts > timestamp'1902-01-01' then ts end as int)",
          "timestamp_seconds(unix_seconds(ts))",
          "timestamp_millis(unix_millis(ts))",
          "cast(ts as string)",
          "date_format(ts, 'yyyy-MM-dd HH:mm:ss')",
          "from_unixtime(unix_timestamp(ts), 'HH:mm dd/MM/yyyy')",
          "cast(cast(ts as string) as timestamp)",
          "cast(substring(cast(ts as string), 1, 10) as date)",
          "cast(date_format(ts, 'yyyy-MM-dd') as timestamp)",
          "cast(cast(d as string) as date)",
          "case when hour(ts) < 12 then date_trunc('day', ts) else cast(d as timestamp) end");
  private static final StructType SCHEMA =
      new StructType().add("ts", DataTypes.TimestampType).add("d", DataTypes.DateType);

  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Map<String, Integer> counts = ExpressionCheck.counts();
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = ExpressionCheck.session();
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @Test
  void functionsOfTimes_aroundChangesOfOffsets_giveSparksValues() {
    List<String> zones = new ArrayList<>(RandomZones.SOME);
    while (zones.size() < ZONES) {
      zones.add(RandomZones.one(random));
    }
    zones.forEach(this::check);
    System.out.println("ZonedTimesTest, seed " + seed + ": " + counts);
    assertThat(counts).containsOnlyKeys("equal");
    assertThat(counts.get("equal")).isEqualTo(zones.size() * EXPRESSIONS.size());
  }

  private void check(String id) {
    List<Row> values = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      Instant instant = RandomZones.nearTransition(ZoneId.of(id), random);
      LocalDate day = LocalDate.ofInstant(instant, ZoneId.of(id));
      values.add(
          RowFactory.create(
              random.nextInt(10) == 0 ? null : Timestamp.from(instant),
              random.nextInt(10) == 0 ? null : Date.valueOf(day)));
    }
    Sessions.with(spark, "spark.sql.session.timeZone", id, () -> check(id, values));
  }

  private void check(String id, List<Row> values) {
    AnalysedExpression.table(spark, "times", values, SCHEMA);
    try (ExpressionCheck check = new ExpressionCheck(values, SCHEMA, counts)) {
      for (String sql : EXPRESSIONS) {
        String problem = check.problem(AnalysedExpression.of(spark, sql, "times").orElseThrow());
        assertThat(problem).as("%s in %s, seed %s", sql, id, seed).isNull();
      }
    }
  }
}

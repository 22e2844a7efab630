package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.ScanResults;
import io.mooring.testing.Sessions;
import io.mooring.testing.SparkHomes;
import io.mooring.testing.WithAndWithout;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Executors in processes of their own, which get Mooring as a jar of the application. */
@Tag("forked")
class LocalClusterTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(240)
  void executorsReadWithCudfAndWithout(boolean cudf) throws Exception {
    SparkHomes.link(name -> cudf || !name.startsWith("cudf"));
    URI classes = MooringPlugin.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    Path jar = SparkHomes.jar(Path.of(classes), folder.resolve("mooring.jar"));
    SparkSession spark =
        Sessions.cluster(
            2,
            Map.of(
                "spark.jars", jar.toString(),
                "spark.sql.warehouse.dir", folder.resolve("warehouse").toString(),
                "spark.mooring.pinnedPool.size", "64m"));
    try {
      assertQueriesAreSparks(spark);
    } finally {
      spark.stop();
    }
  }

  private static void assertQueriesAreSparks(SparkSession spark) {
    spark.sql(
        "create table facts using parquet partitioned by (day) as select id, id * 0.5D as half,"
            + " concat('text ', id % 17) as text, cast(id % 900 as decimal(7,2)) as price,"
            + " id % 4 as day from range(0, 20000, 1, 4)");
    for (String sql :
        new String[] {
          "select * from facts",
          "select id, text from facts where half > 100 and text like 'text 1%'",
          "select day, text, count(*), sum(price), avg(price), max(half) from facts group by day, text",
          "select a.id, b.text from facts a join facts b on a.id = b.id * 2 where b.day = 1"
        }) {
      WithAndWithout both = WithAndWithout.run(spark, sql).assertOurs();
      assertThat(ScanResults.filesRead(both.ours())).isPositive();
    }
  }
}

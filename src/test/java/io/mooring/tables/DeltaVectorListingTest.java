package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.WithAndWithout;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a table with deletion vectors are chosen once, when a query is planned. */
class DeltaVectorListingTest extends DeltaFileChoices {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void run_ofAPlannedQuery_isTheOnlyJob(boolean deletes) throws Exception {
    String table = "listed_" + deletes;
    spark.sql(
        "create table "
            + table
            + " (id bigint, k bigint) using delta partitioned by (k)"
            + " tblproperties ('delta.enableDeletionVectors' = 'true')");
    spark
        .range(0, 1000, 1, 4)
        .selectExpr("id", "id % 3 k")
        .write()
        .format("delta")
        .mode("append")
        .saveAsTable(table);
    if (deletes) {
      spark.sql("delete from " + table + " where id % 10 = 7");
    }
    String sql = "select id from " + table + " where id < 150 and k = 1";
    for (int run = 0; run < 2; run++) {
      Dataset<Row> data = spark.sql(sql);
      data.queryExecution().executedPlan();
      int taken = jobsOf(() -> assertThat(data.collectAsList()).hasSize(deletes ? 45 : 50));
      assertThat(taken).as("run " + run).isEqualTo(1);
    }
    WithAndWithout.run(spark, sql).assertOurs();
  }
}

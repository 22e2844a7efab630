package io.mooring.testing;

import org.apache.spark.sql.SparkSession;

/** A partitioned table with decimals that Spark sums as longs, nulls, texts and dates. */
public final class SalesTable {
  private SalesTable() {}

  /** Writes it as table {@code sales}, in the session's warehouse. */
  public static void create(SparkSession spark) {
    spark.sql(
        "create table sales using parquet partitioned by (day) as"
            + " select cast(id % 100 as int) as quantity,"
            + " cast((id * 7919 % 20000 - 10000) / 100 as decimal(7,2)) as price,"
            + " if(id % 7 = 0, null, cast(id % 90 / 10 as decimal(9,3))) as tax,"
            + " cast(id * 1.5 as decimal(18,2)) as total, id * 17 % 256 / 4.0D as weight,"
            + " if(id % 5 = 0, null, concat('k', id % 11)) as kind,"
            + " cast(date'2001-01-01' + cast(id % 40 as int) as date) as sold,"
            + " id as row, id % 3 as day from range(6000)");
  }
}

package io.mooring.conf;

import static io.mooring.conf.ConfEntry.entry;
import static io.mooring.conf.ConfType.autoOr;

import java.util.OptionalLong;

/** Settings of what goes through Mooring, and what of it scans evaluate. */
public final class SqlEntries {
  public static final ConfEntry<Boolean> ENABLED =
      entry("sql.enabled", ConfType.FLAG)
          .doc(
              "Whether queries of the session go through Mooring. When false Spark's own reader"
                  + " reads every relation.")
          .atRuntime()
          .defaultsTo("true");

  public static final ConfEntry<String> PUSHDOWN =
      entry("sql.pushdown", ConfType.oneOf("auto", "always", "never"))
          .doc(
              "Whether scans evaluate filters and partial aggregates without GROUP BY. `auto` leaves them to"
                  + " Spark if one process does everything and has no usable GPU. Sums of"
                  + " floating-point columns may differ from Spark's in their last digits,"
                  + " because values are added up in another order; Spark's own order is not"
                  + " fixed either. `never` avoids that.")
          .atRuntime()
          .defaultsTo("auto");

  public static final ConfEntry<String> STAGES =
      entry("sql.stages", ConfType.oneOf("auto", "always", "never"))
          .doc(
              "Whether filters, projections, joins and partial aggregates over a scan run"
                  + " on the GPU with it, as one node of the plan. `auto` leaves them to Spark if"
                  + " one process does everything and has no usable GPU; `always` is for tests"
                  + " and to look at plans; `never` turns stages off. As with"
                  + " `spark.mooring.sql.pushdown`, sums of floating-point numbers are added up"
                  + " in another order than Spark's.")
          .atRuntime()
          .defaultsTo("auto");

  public static final ConfEntry<String> REPLICATED_JOINS =
      entry("sql.replicatedJoins", ConfType.oneOf("auto", "always", "never"))
          .doc(
              "Whether joins for which Spark would shuffle both sides, or broadcast one for its"
                  + " size, are executed without an exchange: every executor reads the files of"
                  + " the smaller side itself and keeps its hash table. `auto` does so if a GPU"
                  + " is expected and reading on every executor costs less than the exchanges;"
                  + " `always` checks neither; `never` leaves all joins to Spark. See"
                  + " [joins.md](joins.md).")
          .atRuntime()
          .defaultsTo("auto");

  /** Bytes; empty for what GPUs have room for. */
  public static final ConfEntry<OptionalLong> REPLICATED_JOINS_MAX_BUILD_SIZE =
      entry("sql.replicatedJoins.maxBuildSize", autoOr(ConfType.SIZE))
          .doc(
              "Most estimated bytes of all hash tables of joins without an exchange in one"
                  + " stage, on each executor. `auto` is a third of the device memory that scans of"
                  + " the smallest GPU may use; until executors have reported it, 8 GiB. Until"
                  + " then at most a tenth of `spark.executor.memory` counts. On the host, a hash table that"
                  + " turns out larger is kept in a file.")
          .atRuntime()
          .defaultsTo("auto");

  public static final ConfEntry<String> SINGLE_TASK_AGGREGATES =
      entry("sql.singleTaskAggregates", ConfType.oneOf("auto", "always", "never"))
          .doc(
              "Whether one task computes a whole aggregate on its GPU, with one thread for"
                  + " each task slot of the executor, at most eight on each GPU, so that no partial groups are"
                  + " exchanged. `auto` does so if all executors that have reported use a GPU and reading on one of"
                  + " them costs less than the exchange; `always` checks neither; `never` leaves final aggregates,"
                  + " and the sorts above small exchanges, to Spark. See [aggregates.md](aggregates.md).")
          .atRuntime()
          .defaultsTo("auto");

  public static final ConfEntry<Boolean> MERGE_SUBQUERIES =
      entry("sql.mergeSubqueries", ConfType.FLAG)
          .doc(
              "Whether scalar sub-queries that aggregate one table under different"
                  + " conditions, as in TPC-DS q9, read the table once, if scans evaluate the"
                  + " aggregates.")
          .atRuntime()
          .defaultsTo("true");

  public static final ConfEntry<Boolean> PARQUET_ENABLED =
      entry("sql.parquet.enabled", ConfType.FLAG)
          .doc(
              "Whether relations of Spark's format `parquet` go through Mooring. When false"
                  + " only relations of format `mooring` do.")
          .atRuntime()
          .defaultsTo("true");

  public static final ConfEntry<Boolean> DELTA_ENABLED =
      entry("sql.delta.enabled", ConfType.FLAG)
          .doc(
              "Whether tables of Delta Lake go through Mooring, if relations of format"
                  + " `parquet` do. When false Delta Lake's own reader reads them.")
          .atRuntime()
          .defaultsTo("true");

  public static final ConfEntry<Boolean> ICEBERG_ENABLED =
      entry("sql.iceberg.enabled", ConfType.FLAG)
          .doc(
              "Whether Iceberg tables in Parquet go through Mooring, if relations of format"
                  + " `parquet` do. When false Iceberg's own reader reads them.")
          .atRuntime()
          .defaultsTo("true");

  public static final ConfEntry<Boolean> WITHOUT_GPU =
      entry("sql.withoutGpu", ConfType.FLAG)
          .doc(
              "Whether relations of format `parquet` go through Mooring also where no GPU is"
                  + " usable; Spark's own reader then reads every file of the scan. For tests and to"
                  + " look at plans.")
          .atRuntime()
          .defaultsTo("false");

  private SqlEntries() {}
}

package io.mooring.conformance;

import io.mooring.testing.Interpreted;
import java.util.HashMap;
import java.util.Map;

/** Random settings of a session that readers and planners look at. */
final class RandomSettings {
  // The reader of Spark 3.5 throws where it is to skip decimals of DELTA_BYTE_ARRAY.
  private static final boolean SKIPS_ALL =
      !System.getProperty("mooring.test.spark.version", "").startsWith("3.");

  private final Dice dice;

  RandomSettings(Dice dice) {
    this.dice = dice;
  }

  /** For the writer of a table. */
  Map<String, String> ofWriter() {
    Map<String, String> settings = new HashMap<>();
    settings.put(
        "spark.sql.parquet.outputTimestampType",
        dice.one("INT96", "TIMESTAMP_MICROS", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS"));
    settings.put("spark.sql.parquet.datetimeRebaseModeInWrite", dice.one("CORRECTED", "LEGACY"));
    settings.put("spark.sql.parquet.int96RebaseModeInWrite", dice.one("CORRECTED", "LEGACY"));
    settings.put("spark.sql.parquet.writeLegacyFormat", dice.one("false", "false", "true"));
    settings.put("spark.sql.ansi.enabled", "false");
    return settings;
  }

  /** For both readers. */
  Map<String, String> ofReaders() {
    Map<String, String> settings = new HashMap<>();
    settings.put("spark.sql.ansi.enabled", dice.one("true", "false"));
    settings.put("spark.sql.caseSensitive", rarely("true", "false"));
    settings.put("spark.sql.adaptive.enabled", rarely("true", "false"));
    settings.put("spark.sql.parquet.enableVectorizedReader", dice.oneIn(20) ? "false" : "true");
    settings.put("spark.sql.parquet.enableNestedColumnVectorizedReader", rarely("false", "true"));
    settings.put("spark.sql.columnVector.offheap.enabled", rarely("true", "false"));
    settings.put("spark.sql.parquet.columnarReaderBatchSize", dice.one("4096", "13"));
    settings.put("spark.sql.autoBroadcastJoinThreshold", dice.one("-1", "10485760"));
    settings.put("spark.sql.files.maxPartitionBytes", dice.one("134217728", "16384"));
    settings.put("spark.sql.files.openCostInBytes", rarely("0", "4194304"));
    settings.put("spark.sql.optimizer.nestedSchemaPruning.enabled", rarely("false", "true"));
    settings.put(
        "spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly",
        dice.one("true", "false"));
    settings.put(
        "spark.sql.session.timeZone", dice.one("UTC", "America/Los_Angeles", "Asia/Kathmandu"));
    // Spark's own reader garbles uncompressed DELTA_BYTE_ARRAY from such reads.
    settings.put("parquet.hadoop.vectored.io.enabled", "false");
    // Spark's own pruning loses rows of -0.0 where 0.0 is asked for.
    settings.put("spark.sql.parquet.filterPushdown", "false");
    return settings;
  }

  /** Compiled as Spark's are by default, or {@link Interpreted}. */
  static Map<String, String> ofCodeGeneration(boolean compiled) {
    return compiled ? Interpreted.COMPILED : Interpreted.SETTINGS;
  }

  /** For Mooring's session alone: what may not change an answer. */
  Map<String, String> ofOurs() {
    return Map.of(
        "spark.mooring.sql.enabled",
        "true",
        "spark.mooring.sql.pushdown",
        dice.one("always", "always", "always", "auto", "never"),
        "spark.sql.parquet.filterPushdown",
        SKIPS_ALL ? rarely("false", "true") : "false");
  }

  private String rarely(String value, String usual) {
    return dice.oneIn(6) ? value : usual;
  }
}

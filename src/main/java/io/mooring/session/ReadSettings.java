package io.mooring.session;

import io.mooring.conf.MooringConf;
import io.mooring.conf.ScanEntries;
import io.mooring.parquet.verify.PageChecks;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
import scala.Tuple2;

/**
 * The session's settings that executors need.
 *
 * @param unitBytes decoded bytes aimed at in one read unit
 * @param decodeBytes decoded bytes beyond which a row group is decoded in chunks of about that size
 * @param coalesceBytes decoded bytes up to which units of several files become one
 * @param mergeDistance file ranges at most this many bytes apart are read as one
 * @param skipPages whether pages are skipped in which no row passes a filter
 * @param checks what is verified of pages before they are decoded
 * @param castTypes whether columns of other types than the table's are decoded and cast
 * @param widenTypes whether numbers of a narrower type than the table's are values of it
 * @param mooring the settings of Mooring, for an executor that runs without the plugin
 */
public record ReadSettings(
    boolean caseSensitive,
    String datetimeRebaseMode,
    String int96RebaseMode,
    boolean int96Conversion,
    boolean fieldIds,
    boolean ignoreCorruptFiles,
    boolean ignoreMissingFiles,
    long unitBytes,
    long decodeBytes,
    long coalesceBytes,
    long mergeDistance,
    boolean skipPages,
    PageChecks checks,
    boolean castTypes,
    boolean widenTypes,
    HashMap<String, String> mooring)
    implements Serializable {
  /** An option of table formats whose own readers widen numbers, whatever Spark's reader does. */
  public static final String WIDEN_TYPES = "mooring.widenTypes";

  // Spark 3 refuses values that are narrower than the table's.
  private static final boolean SPARK_WIDENS =
      !org.apache.spark.package$.MODULE$.SPARK_VERSION().startsWith("3.");

  public static ReadSettings of(SparkSession session, Map<String, String> options) {
    SQLConf sql = session.sessionState().conf();
    HashMap<String, String> all = mooringSettings(session.sparkContext().conf());
    MooringConf conf = MooringConf.from(all);
    return new ReadSettings(
        flag(sql, SQLConf.CASE_SENSITIVE().key()),
        option(
            options,
            "datetimeRebaseMode",
            sql.getConfString(SQLConf.PARQUET_REBASE_MODE_IN_READ().key())),
        option(
            options,
            "int96RebaseMode",
            sql.getConfString(SQLConf.PARQUET_INT96_REBASE_MODE_IN_READ().key())),
        flag(options, SQLConf.PARQUET_INT96_TIMESTAMP_CONVERSION().key(), sql),
        flag(options, SQLConf.PARQUET_FIELD_ID_READ_ENABLED().key(), sql),
        flag(options, "ignoreCorruptFiles", flag(sql, SQLConf.IGNORE_CORRUPT_FILES().key())),
        flag(options, "ignoreMissingFiles", flag(sql, SQLConf.IGNORE_MISSING_FILES().key())),
        Math.min(conf.get(ScanEntries.BATCH_SIZE), decodeBytes(conf)),
        decodeBytes(conf),
        conf.get(ScanEntries.COALESCE_SIZE),
        conf.get(ScanEntries.MERGE_DISTANCE),
        conf.get(ScanEntries.SKIP_PAGES),
        PageChecks.valueOf(conf.get(ScanEntries.VERIFY_PAGES).toUpperCase(Locale.ROOT)),
        conf.get(ScanEntries.CAST_TYPES),
        flag(options, WIDEN_TYPES, SPARK_WIDENS),
        all);
  }

  private static long decodeBytes(MooringConf conf) {
    long bytes = conf.get(ScanEntries.DECODE_SIZE);
    return bytes == 0 ? Long.MAX_VALUE : bytes;
  }

  private static HashMap<String, String> mooringSettings(SparkConf conf) {
    HashMap<String, String> ours = new HashMap<>();
    for (Tuple2<String, String> entry : conf.getAllWithPrefix(MooringConf.PREFIX)) {
      ours.put(MooringConf.PREFIX + entry._1(), entry._2());
    }
    return ours;
  }

  private static String option(Map<String, String> options, String name, String otherwise) {
    return options.entrySet().stream()
        .filter(entry -> entry.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(otherwise);
  }

  private static boolean flag(SQLConf sql, String key) {
    return Boolean.parseBoolean(sql.getConfString(key));
  }

  /** The value of a setting that the options of a table format override. */
  private static boolean flag(Map<String, String> options, String key, SQLConf sql) {
    return flag(options, key, flag(sql, key));
  }

  private static boolean flag(Map<String, String> options, String name, boolean otherwise) {
    return Boolean.parseBoolean(option(options, name, String.valueOf(otherwise)));
  }

  /** The same with another {@link #coalesceBytes}. */
  public ReadSettings withCoalesceBytes(long bytes) {
    return new ReadSettings(
        caseSensitive,
        datetimeRebaseMode,
        int96RebaseMode,
        int96Conversion,
        fieldIds,
        ignoreCorruptFiles,
        ignoreMissingFiles,
        unitBytes,
        decodeBytes,
        bytes,
        mergeDistance,
        skipPages,
        checks,
        castTypes,
        widenTypes,
        mooring);
  }
}

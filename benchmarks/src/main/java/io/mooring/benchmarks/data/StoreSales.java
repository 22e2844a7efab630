package io.mooring.benchmarks.data;

import io.mooring.benchmarks.worker.Request;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/**
 * Rows in the shape of TPC-DS store_sales: 10 INT32, 1 INT64 and 12 DOUBLE columns. A row's content
 * depends on the seed and the row's number alone, whatever machine writes it.
 */
public final class StoreSales {

  /** Raised when the same seed would give other rows. */
  static final int VERSION = 1;

  /** Rows of a full-size file: dates and tickets are sorted within each such block of rows. */
  static final int BLOCK_ROWS = 3_000_000;

  /** Rows of a row group: about 100 MB. */
  static final int ROW_GROUP_ROWS = 1_000_000;

  /** About what a row takes in a file, in bytes; only used to turn a size into a number of rows. */
  static final int BYTES_PER_ROW = 100;

  private static final int FIRST_DATE = 2_450_816;
  private static final int DATES = 1826;
  private static final int TICKET_STEP = 80;
  private static final int CENTS = 2_000_001;

  private record Key(String name, int values) {}

  private static final List<Key> KEYS =
      List.of(
          new Key("sold_time_sk", 86_399),
          new Key("item_sk", 203_999),
          new Key("customer_sk", 11_999_999),
          new Key("cdemo_sk", 1_920_799),
          new Key("hdemo_sk", 7_199),
          new Key("addr_sk", 5_999_999),
          new Key("store_sk", 1_001),
          new Key("promo_sk", 1_499));

  private static final List<String> MONEY =
      List.of(
          "wholesale_cost",
          "list_price",
          "sales_price",
          "ext_discount_amt",
          "ext_sales_price",
          "ext_wholesale_cost",
          "ext_list_price",
          "ext_tax",
          "coupon_amt",
          "net_paid",
          "net_paid_inc_tax",
          "net_profit");

  private StoreSales() {}

  /** Writes the rows as Parquet, replacing what is in the folder. */
  public static void write(SparkSession spark, Request.Generate what) {
    int files = (int) ((what.rows() + what.rowsPerFile() - 1) / what.rowsPerFile());
    rows(spark, what.rows(), what.seed(), files)
        .write()
        .mode(SaveMode.Overwrite)
        .option("compression", what.codec())
        .option("parquet.block.row.count.limit", ROW_GROUP_ROWS)
        .option("parquet.block.size", 1L << 30)
        .parquet(what.folder());
  }

  /** Rows 0 to {@code rows - 1}, in order, over so many partitions. */
  static Dataset<Row> rows(SparkSession spark, long rows, long seed, int partitions) {
    return spark.range(0, rows, 1, partitions).selectExpr(columns(seed).toArray(new String[0]));
  }

  private static List<String> columns(long seed) {
    List<String> columns = new ArrayList<>();
    String place = "pmod(id, " + BLOCK_ROWS + ")";
    columns.add(
        "cast(%d + %s * %d div %d as int) as sold_date_sk"
            .formatted(FIRST_DATE, place, DATES, BLOCK_ROWS));
    for (Key key : KEYS) {
      String value = "1 + " + hash(seed, columns.size(), key.values());
      columns.add("cast(" + value + " as int) as " + key.name());
    }
    String gap = hash(seed, columns.size(), TICKET_STEP);
    columns.add("1 + %s * %d + %s as ticket_number".formatted(place, TICKET_STEP, gap));
    columns.add("cast(1 + " + hash(seed, columns.size(), 100) + " as int) as quantity");
    for (String name : MONEY) {
      String cents = hash(seed, columns.size(), CENTS);
      columns.add("cast(" + cents + " as double) / 100 as " + name);
    }
    return columns;
  }

  /** A value from 0 to {@code values - 1} that looks random and depends on seed, row and column. */
  private static String hash(long seed, int column, int values) {
    return "pmod(xxhash64(id, %dL, %d), %dL)".formatted(seed, column, values);
  }
}

package io.mooring.benchmarks.nds;

import io.mooring.benchmarks.worker.Request;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

/** The tables of the suite for one seed and one size. */
public final class NdsData {

  /** Raised when the same seed and size would give other rows. */
  public static final int VERSION = 1;

  /** About what all tables take for each row of {@code store_sales}. */
  public static final int BYTES_PER_SALE = 64;

  private static final int ROW_GROUP_ROWS = 1_000_000;
  private static final long SALES_OF_ADDRESS = 144;
  private static final long LEAST_ADDRESSES = 1_000;

  private NdsData() {}

  /** Every table: the largest first. */
  static List<NdsTable> tables(long seed, long sales) {
    RowDice dice = new RowDice(seed);
    long addresses = Math.max(LEAST_ADDRESSES, sales / SALES_OF_ADDRESS);
    return Stream.concat(
            new NdsFacts(dice, sales, addresses).tables().stream(),
            new NdsDimensions(dice, addresses).tables().stream())
        .toList();
  }

  /** The tables' names. */
  public static List<String> names() {
    return tables(0, 0).stream().map(NdsTable::name).toList();
  }

  /** Writes each table into a folder of its name; all at once, so that no core waits. */
  public static void write(SparkSession spark, Request.GenerateNds what) {
    Money.register(spark);
    List<CompletableFuture<Void>> writes =
        tables(what.seed(), what.sales()).stream()
            .map(table -> CompletableFuture.runAsync(() -> write(spark, table, what)))
            .toList();
    writes.forEach(CompletableFuture::join);
  }

  private static void write(SparkSession spark, NdsTable table, Request.GenerateNds what) {
    int files = (int) ((table.rows() + what.rowsPerFile() - 1) / what.rowsPerFile());
    table
        .rows(spark, Math.max(1, files))
        .write()
        .mode(SaveMode.Overwrite)
        .option("compression", "snappy")
        .option("parquet.block.row.count.limit", ROW_GROUP_ROWS)
        .option("parquet.block.size", 1L << 30)
        .parquet(what.folder() + "/" + table.name());
  }
}

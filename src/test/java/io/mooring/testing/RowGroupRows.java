package io.mooring.testing;

import java.util.Arrays;
import org.apache.parquet.hadoop.ParquetWriter;

/** Row groups of a set number of rows, which the writer of Spark 3 does not know. */
public final class RowGroupRows {
  private RowGroupRows() {}

  /** Has the writer cut row groups after {@code rows} rows; with Spark 3 it writes one. */
  public static <B extends ParquetWriter.Builder<?, B>> B limit(B builder, int rows) {
    Arrays.stream(ParquetWriter.Builder.class.getMethods())
        .filter(method -> method.getName().equals("withRowGroupRowCountLimit"))
        .findAny()
        .ifPresent(
            method -> {
              try {
                method.invoke(builder, rows);
              } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
              }
            });
    return builder;
  }
}

package io.mooring.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What a query came to.
 *
 * @param data null when it was not even analysed
 * @param answer schema and rows, or the error
 */
record Outcome(@Nullable Dataset<Row> data, boolean failed, List<String> answer) {

  static Outcome of(SparkSession session, Statement statement) {
    Dataset<Row> data = null;
    try {
      data = session.sql(statement.sql());
      List<String> rows = new ArrayList<>();
      data.collectAsList().forEach(row -> rows.add(text(row)));
      if (!statement.ordered()) {
        rows.sort(null);
      }
      rows.add(0, data.schema().json());
      return new Outcome(data, false, rows);
    } catch (Exception e) {
      return new Outcome(data, true, List.of(error(e)));
    }
  }

  /** The kinds of an error and its causes. */
  @SuppressWarnings("deprecation") // the name that all versions of Spark know
  private static String error(Throwable error) {
    String kind = error.getClass().getName();
    if (error instanceof SparkThrowable known) {
      kind += " " + known.getErrorClass();
    }
    return error.getCause() == null ? kind : kind + " by " + error(error.getCause());
  }

  /** Exact: floats by their bits, but for the many kinds of NaN. */
  private static String text(@Nullable Object value) {
    if (value instanceof Row row) {
      List<String> fields = new ArrayList<>();
      for (int i = 0; i < row.length(); i++) {
        fields.add(text(row.get(i)));
      }
      return fields.toString();
    } else if (value instanceof scala.collection.Map<?, ?> map) {
      Map<String, String> entries = new TreeMap<>();
      CollectionConverters.asJava(map).forEach((k, v) -> entries.put(text(k), text(v)));
      return entries.toString();
    } else if (value instanceof scala.collection.Seq<?> elements) {
      List<String> texts = new ArrayList<>();
      CollectionConverters.asJava(elements).forEach(element -> texts.add(text(element)));
      return texts.toString();
    } else if (value instanceof byte[] bytes) {
      return java.util.HexFormat.of().formatHex(bytes);
    }
    return String.valueOf(value);
  }
}

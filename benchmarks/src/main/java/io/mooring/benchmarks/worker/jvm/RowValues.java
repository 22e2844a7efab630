package io.mooring.benchmarks.worker.jvm;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.spark.sql.Row;

/** Rows as JSON can carry them without losing a bit. */
final class RowValues {

  private RowValues() {}

  static List<List<Object>> of(Row[] rows) {
    List<List<Object>> values = new ArrayList<>(rows.length);
    for (Row row : rows) {
      List<Object> cells = new ArrayList<>(row.size());
      for (int i = 0; i < row.size(); i++) {
        cells.add(value(row.get(i)));
      }
      values.add(cells);
    }
    return values;
  }

  private static Object value(Object cell) {
    if (cell == null || cell instanceof Boolean) {
      return cell;
    } else if (cell instanceof Float || cell instanceof Double) {
      return ((Number) cell).doubleValue();
    } else if (cell instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    } else if (cell instanceof Number number) {
      return number.longValue();
    } else if (cell instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    return cell.toString();
  }
}

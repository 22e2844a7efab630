package io.mooring.expr.device;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.Rmm;
import io.mooring.columnar.CudfTypes;
import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.UnsupportedExpressionException;
import io.mooring.gpu.GpuRuntime;
import io.mooring.parquet.read.NonEmptyNulls;
import io.mooring.testing.Interpreted;
import io.mooring.testing.Sessions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.jdk.javaapi.CollectionConverters;

/** Compares expressions over a table on the device with the same ones on its rows. */
final class ExpressionCheck implements AutoCloseable {
  private static final int FRAMES = 12;

  private final List<InternalRow> rows;
  private final DeviceBatch batch;
  private final Map<String, Integer> counts;

  /**
   * @param counts what became of the expressions
   */
  ExpressionCheck(List<Row> table, StructType schema, Map<String, Integer> counts) {
    Function1<Object, Object> converter = CatalystTypeConverters.createToCatalystConverter(schema);
    this.rows = table.stream().map(row -> (InternalRow) converter.apply(row)).toList();
    this.batch = DeviceTable.batch(rows, schema);
    this.counts = counts;
  }

  /** A session that interprets expressions, once the GPU is there for them. */
  static SparkSession session() {
    SparkSession spark =
        Sessions.withPlugin(1, Interpreted.and(Map.of("spark.mooring.pinnedPool.size", "64m")));
    spark.sparkContext().setLogLevel("ERROR");
    // libcudf's memory is set up meanwhile: what was allocated before must not be freed after.
    assertThat(GpuRuntime.current().orElseThrow().usable()).isTrue();
    // A scan does so before the process makes its first column.
    NonEmptyNulls.disableAssertion();
    return spark;
  }

  static Map<String, Integer> counts() {
    return new TreeMap<>();
  }

  private void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  /** What is wrong with an expression on the device; null if nothing is. */
  @Nullable String problem(AnalysedExpression analysed) {
    DeviceExpr expr;
    try {
      expr = new CatalystTranslator(analysed.input()).translate(analysed.expression());
    } catch (UnsupportedExpressionException e) {
      count("not translated: " + e.getMessage());
      return null;
    }
    long before = Rmm.getTotalBytesAllocated();
    String problem = problem(analysed, expr);
    long lost = Rmm.getTotalBytesAllocated() - before;
    return problem == null && lost > 0 ? lost + " bytes of device memory not freed" : problem;
  }

  private @Nullable String problem(AnalysedExpression analysed, DeviceExpr expr) {
    Object[] expected = new Object[rows.size()];
    RuntimeException error = null;
    Expression bound = analysed.bound();
    for (int row = 0; row < expected.length && error == null; row++) {
      try {
        expected[row] =
            DeviceTable.value(bound.eval(rows.get(row)), analysed.expression().dataType());
      } catch (RuntimeException e) {
        error = e;
      }
    }
    try (ColumnVector column = ExprEvaluator.evaluate(expr, batch)) {
      if (error != null) {
        return "Spark fails with " + error + ", the device gives " + column;
      }
      return difference(analysed, column, expected);
    } catch (SparkFallbackException e) {
      count((error == null ? "left to Spark: " : "both fail: ") + e.getMessage());
      return null;
    } catch (Throwable e) {
      return e
          + "\n    "
          + Arrays.stream(e.getStackTrace())
              .limit(FRAMES)
              .map(Object::toString)
              .collect(Collectors.joining("\n    "));
    }
  }

  private @Nullable String difference(
      AnalysedExpression analysed, ColumnVector column, Object[] expected) {
    var type = analysed.expression().dataType();
    if (!column.getType().equals(CudfTypes.of(type)) || column.getRowCount() != rows.size()) {
      return "a column of " + column.getRowCount() + " rows of type " + column.getType();
    }
    try (HostColumnVector host = column.copyToHost()) {
      for (int row = 0; row < expected.length; row++) {
        Object actual = DeviceTable.value(host, row, type);
        if (!Objects.equals(actual, expected[row])) {
          return "row %d: %s on the device, %s in Spark, of %s"
              .formatted(row, shown(actual), shown(expected[row]), inputs(analysed, row));
        }
      }
    }
    count("equal");
    return null;
  }

  private static String shown(@Nullable Object value) {
    return value instanceof String text
        ? "'" + text + "' (" + text.codePoints().boxed().toList() + ")"
        : String.valueOf(value);
  }

  private String inputs(AnalysedExpression analysed, int row) {
    return CollectionConverters.asJava(analysed.expression().references().toSeq()).stream()
        .map(attribute -> input(analysed.input(), attribute, row))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private String input(List<Attribute> input, Attribute attribute, int row) {
    for (int i = 0; i < input.size(); i++) {
      if (input.get(i).exprId().equals(attribute.exprId())) {
        return attribute.name()
            + "="
            + shown(
                DeviceTable.value(
                    rows.get(row).get(i, attribute.dataType()), attribute.dataType()));
      }
    }
    return attribute.name();
  }

  @Override
  public void close() {
    batch.close();
  }
}

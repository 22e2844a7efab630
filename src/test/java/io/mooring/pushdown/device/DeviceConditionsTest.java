package io.mooring.pushdown.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import io.mooring.gpu.GpuRuntime;
import io.mooring.parquet.read.NonEmptyNulls;
import io.mooring.pushdown.Column;
import io.mooring.pushdown.Comparison;
import io.mooring.pushdown.Comparison.Operator;
import io.mooring.pushdown.Constant;
import io.mooring.pushdown.Expr;
import io.mooring.pushdown.IsNull;
import io.mooring.pushdown.Logical;
import io.mooring.pushdown.Not;
import io.mooring.pushdown.RandomExprs;
import io.mooring.pushdown.RandomRows;
import io.mooring.pushdown.device.ast.AstCompiler;
import io.mooring.pushdown.device.ast.CompiledPredicate;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions on the device, in one kernel or by nodes, against the same ones on rows. */
@RequiresGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeviceConditionsTest {
  private static final int CASES = 250;
  private static final int DEEPEST = 6;
  private static final Column INT = new Column("int_a", DataTypes.IntegerType);
  private static final Column OTHER_INT = new Column("int_b", DataTypes.IntegerType);

  private final long seed = Long.getLong("mooring.test.seed", System.nanoTime());
  private SparkSession spark;

  @BeforeAll
  void start() {
    System.out.println("DeviceConditionsTest seed " + seed);
    spark = Sessions.withPlugin(1, Map.of("spark.mooring.pinnedPool.size", "64m"));
    // libcudf's memory is set up meanwhile: what was allocated before must not be freed after.
    assertThat(GpuRuntime.current().orElseThrow().usable()).isTrue();
    // A scan does so before the process makes its first column.
    NonEmptyNulls.disableAssertion();
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest(name = "{0} rows, {1} of the values null")
  @CsvSource({"700, 0.2", "700, 0", "33, 1", "1, 0.5"})
  void randomConditionsAreThoseOfRows(int rows, double nulls) {
    Random random = new Random(seed + rows);
    RandomExprs exprs = new RandomExprs(random);
    int fused = 0;
    RandomRows table = new RandomRows(random, rows, nulls);
    try (RandomDeviceTable device = new RandomDeviceTable(table)) {
      for (int i = 0; i < CASES; i++) {
        Expr condition = exprs.condition(random.nextInt(DEEPEST));
        fused += fused(condition) == null ? 0 : 1;
        assertSame("case " + i, condition, table, device);
      }
    }
    assertThat(fused).as("conditions in one kernel").isGreaterThan(CASES / 4);
  }

  private static CompiledPredicate fused(Expr condition) {
    return new AstCompiler(RandomRows::type).translate(condition);
  }

  private void assertSame(
      String which, Expr condition, RandomRows table, RandomDeviceTable device) {
    try (ColumnVector values = DeviceEvaluator.values(condition, device.columns());
        HostColumnVector host = values.copyToHost()) {
      assertThat(values.getType()).isEqualTo(DType.BOOL8);
      assertThat(host.getRowCount()).isEqualTo(table.count());
      for (int row = 0; row < table.count(); row++) {
        Object expected = condition.onRow(table.row(row));
        Object actual = host.isNull(row) ? null : (Object) host.getBoolean(row);
        if (!Objects.equals(actual, expected)) {
          fail(
              "seed %d, %s: %s on the device, %s on rows%nof %s%nin row %d: %s%nas one kernel: %s",
              seed, which, actual, expected, condition, row, table.text(row), fused(condition));
        }
      }
    } catch (RuntimeException e) {
      throw new IllegalStateException("seed " + seed + ", " + which + ": " + condition, e);
    }
  }

  /** Chains in both directions, of many values that wait at once: they fill the shared memory. */
  @Test
  void longChainsAreThoseOfRows() {
    RandomRows table = new RandomRows(new Random(seed), 1_000, 0.1);
    try (RandomDeviceTable device = new RandomDeviceTable(table)) {
      for (int length : new int[] {2, 23, 24, 25, 90}) {
        Expr toTheLeft = equality(0);
        Expr toTheRight = equality(0);
        for (int i = 1; i < length; i++) {
          toTheLeft = new Logical(Logical.Operator.OR, toTheLeft, new Not(equality(i)));
          toTheRight = new Logical(Logical.Operator.OR, equality(i), toTheRight);
        }
        assertSame(length + " to the left", toTheLeft, table, device);
        assertSame(length + " to the right", toTheRight, table, device);
        assertSame(length + ", none of them", new Not(toTheRight), table, device);
      }
    }
  }

  private static Expr equality(int value) {
    Column column = value % 2 == 0 ? INT : OTHER_INT;
    return new Comparison(
        Operator.EQUAL, column, new Constant(value - 1_000 * (value % 3), column.type()));
  }

  /** Many rows, so that blocks of the kernel are many and the last one is not full. */
  @Test
  void everyRowOfManyIsEvaluated() {
    int rows = 3_000_001;
    Integer[] values =
        IntStream.range(0, rows).mapToObj(i -> i % 7 == 0 ? null : i).toArray(Integer[]::new);
    Expr condition =
        new Logical(
            Logical.Operator.OR,
            new Not(new IsNull(INT)),
            new Comparison(Operator.LESS, INT, new Constant(0, INT.type())));
    try (ColumnVector column = ColumnVector.fromBoxedInts(values);
        ColumnVector mask =
            DeviceEvaluator.values(condition, new DeviceColumns(Map.of(INT.name(), column), rows));
        HostColumnVector host = mask.copyToHost()) {
      for (int row = 0; row < rows; row++) {
        // A null is no number, and whether it is negative is not known.
        if (host.isNull(row) != (row % 7 == 0) || (!host.isNull(row) && !host.getBoolean(row))) {
          fail("row " + row + " of " + rows);
        }
      }
    }
  }

  /** {@link RandomRows} on the device. */
  private static final class RandomDeviceTable implements AutoCloseable {
    private final Map<String, ColumnVector> columns = new HashMap<>();
    private final int rows;

    RandomDeviceTable(RandomRows source) {
      rows = source.count();
      for (int c = 0; c < RandomRows.COLUMNS.size(); c++) {
        Column column = RandomRows.COLUMNS.get(c);
        columns.put(column.name(), column(column, source.values(c)));
      }
    }

    DeviceColumns columns() {
      return new DeviceColumns(columns, rows);
    }

    private static ColumnVector column(Column column, Object[] values) {
      if (column.type() instanceof DecimalType decimal) {
        return decimals(column, decimal, values);
      }
      return switch (column.type().typeName()) {
        case "boolean" -> ColumnVector.fromBoxedBooleans(of(values, Boolean[].class));
        case "byte" -> ColumnVector.fromBoxedBytes(of(values, Byte[].class));
        case "short" -> ColumnVector.fromBoxedShorts(of(values, Short[].class));
        case "integer" -> ColumnVector.fromBoxedInts(of(values, Integer[].class));
        case "long" -> ColumnVector.fromBoxedLongs(of(values, Long[].class));
        case "float" -> ColumnVector.fromBoxedFloats(of(values, Float[].class));
        case "double" -> ColumnVector.fromBoxedDoubles(of(values, Double[].class));
        case "date" -> ColumnVector.timestampDaysFromBoxedInts(of(values, Integer[].class));
        case "timestamp" ->
            ColumnVector.timestampMicroSecondsFromBoxedLongs(of(values, Long[].class));
        default ->
            ColumnVector.fromStrings(
                Arrays.stream(values)
                    .map(text -> text == null ? null : text.toString())
                    .toArray(String[]::new));
      };
    }

    private static <T> T[] of(Object[] values, Class<T[]> type) {
      return Arrays.copyOf(values, values.length, type);
    }

    private static ColumnVector decimals(Column column, DecimalType type, Object[] values) {
      Long[] unscaled =
          Arrays.stream(values)
              .map(value -> value == null ? null : ((Decimal) value).toUnscaledLong())
              .toArray(Long[]::new);
      ColumnVector longs = ColumnVector.decimalFromBoxedLongs(-type.scale(), unscaled);
      DType wanted = RandomRows.type(column);
      try (longs) {
        return longs.getType().equals(wanted) ? longs.incRefCount() : longs.castTo(wanted);
      }
    }

    @Override
    public void close() {
      columns.values().forEach(ColumnVector::close);
    }
  }
}

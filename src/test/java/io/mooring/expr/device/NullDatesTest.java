package io.mooring.expr.device;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import io.mooring.expr.DateFunction;
import io.mooring.expr.DateFunction.Function;
import io.mooring.expr.DeviceExpr;
import io.mooring.gpu.GpuRuntime;
import io.mooring.testing.RequiresGpu;
import io.mooring.testing.Sessions;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Functions of dates over nulls, in whose rows any number may lie: decoded files leave them as the
 * memory was. libcudf computes those rows as well and looks into tables of months with the result.
 */
@RequiresGpu
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NullDatesTest {
  private static final int ROWS = 10_000;
  private static final Set<Function> OF_TWO =
      Set.of(Function.ADD_DAYS, Function.SUBTRACT_DAYS, Function.DAYS_BETWEEN, Function.ADD_MONTHS);
  private static final Set<Function> OF_TIMESTAMPS =
      Set.of(
          Function.TRUNC_DAY,
          Function.TRUNC_HOUR,
          Function.TRUNC_MINUTE,
          Function.TRUNC_SECOND,
          Function.TRUNC_MILLISECOND,
          Function.TRUNC_MICROSECOND,
          Function.HOUR,
          Function.MINUTE,
          Function.SECOND);

  private final Random random = new Random(42);
  private SparkSession spark;

  @BeforeAll
  void start() {
    spark = Sessions.withPlugin(1, Map.of("spark.mooring.pinnedPool.size", "64m"));
    assertThat(GpuRuntime.current().orElseThrow().usable()).isTrue();
  }

  @AfterAll
  void stop() {
    spark.stop();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Z", "America/New_York"})
  void whatLiesInNullRowsIsNotLookedUp(String zone) {
    try (DeviceBatch batch = nulls()) {
      for (Function function : Function.values()) {
        try (ColumnVector result =
                ExprEvaluator.evaluate(expression(function, ZoneId.of(zone)), batch);
            HostColumnVector host = result.copyToHost()) {
          assertThat(host.getNullCount()).as(function.name()).isEqualTo(ROWS - 1);
          assertThat(host.isNull(0)).as(function.name()).isFalse();
        }
      }
      Cuda.deviceSynchronize();
    }
  }

  private static DeviceExpr expression(Function function, ZoneId zone) {
    boolean timestamps = OF_TIMESTAMPS.contains(function);
    DataType type = timestamps ? DataTypes.TimestampType : DataTypes.DateType;
    DeviceExpr first = new DeviceExpr.InputColumn(timestamps ? 1 : 0, type);
    DeviceExpr number = new DeviceExpr.InputColumn(2, DataTypes.IntegerType);
    DeviceExpr second = function == Function.DAYS_BETWEEN ? first : number;
    return new DateFunction(
        function, OF_TWO.contains(function) ? List.of(first, second) : List.of(first), type, zone);
  }

  /** Dates, timestamps and ints with random bits, of which all but the first row's are null. */
  private DeviceBatch nulls() {
    int[] bits = random.ints(ROWS).toArray();
    bits[0] = 20_000;
    long[] wide = random.longs(ROWS).toArray();
    wide[0] = 86_400_000_000L;
    int[] numbers = random.ints(ROWS).toArray();
    numbers[0] = 3;
    Boolean[] present = new Boolean[ROWS];
    Arrays.setAll(present, row -> row == 0 ? true : null);
    try (ColumnVector valid = ColumnVector.fromBoxedBooleans(present);
        ColumnVector dates = ColumnVector.daysFromInts(bits);
        ColumnVector timestamps = ColumnVector.timestampMicroSecondsFromLongs(wide);
        ColumnVector ints = ColumnVector.fromInts(numbers)) {
      assertThat(dates.getType()).isEqualTo(DType.TIMESTAMP_DAYS);
      return new DeviceBatch(
          List.of(
              dates.mergeAndSetValidity(BinaryOp.BITWISE_AND, dates, valid),
              timestamps.mergeAndSetValidity(BinaryOp.BITWISE_AND, timestamps, valid),
              ints.mergeAndSetValidity(BinaryOp.BITWISE_AND, ints, valid)),
          ROWS);
    }
  }
}

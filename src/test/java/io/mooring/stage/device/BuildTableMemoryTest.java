package io.mooring.stage.device;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmAllocationMode;
import ai.rapids.cudf.Scalar;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.Room;
import io.mooring.gpu.RoomWait;
import io.mooring.stage.program.RowOperator.Join;
import io.mooring.stage.program.RowOperator.Join.Kind;
import io.mooring.testing.RequiresGpu;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What libcudf allocates for the table of a build side, and the room that is reserved for it. */
@Tag("forked-gpu")
@RequiresGpu
class BuildTableMemoryTest {
  // Too many for the ranges of keys to be found by sorting them, which takes memory of its own.
  private static final int ROWS_OF_PART = 2_000_000;
  private static final long POOL_BYTES = 1L << 30;
  // A hash table has a few slots more, and each column is padded.
  private static final long ROUNDING = 1L << 20;

  /** Counts what is reserved, and the most that was. */
  private static final class CountedRoom implements Room.Temporary {
    private final CountedRoom counter;
    private long own;
    private long reserved;
    private long most;

    CountedRoom() {
      this.counter = this;
    }

    private CountedRoom(CountedRoom counter) {
      this.counter = counter;
    }

    @Override
    public void take(long bytes) {
      own += bytes;
      counter.reserved += bytes;
      counter.most = Math.max(counter.most, counter.reserved);
    }

    @Override
    public Temporary temporary() {
      return new CountedRoom(counter);
    }

    @Override
    public <T> T attempt(RoomWait wait, Function<Room, T> work) {
      return work.apply(this);
    }

    @Override
    public void close() {
      counter.reserved -= own;
    }
  }

  @BeforeAll
  static void start() {
    Cuda.setDevice(0);
    if (!Rmm.isInitialized()) {
      Rmm.initialize(RmmAllocationMode.CUDA_ASYNC, null, POOL_BYTES);
    }
  }

  /** A join by a long, by a long and an int, or by a long made of an int. */
  private static Join join(Kind kind, String keys) {
    DeviceExpr first = new DeviceExpr.InputColumn(0, DataTypes.LongType);
    DeviceExpr second = new DeviceExpr.InputColumn(1, DataTypes.IntegerType);
    List<DeviceExpr> exprs =
        switch (keys) {
          case "long" -> List.of(first);
          case "both" -> List.of(first, second);
          default -> List.of(new DeviceExpr.Cast(second, DataTypes.LongType, DeviceExpr.Mode.ANSI));
        };
    return new Join(
        kind, 0, List.of(DataTypes.LongType, DataTypes.IntegerType), exprs, exprs, null, List.of());
  }

  private static ColumnVector numbers(boolean isLong, int part, int each) {
    try (Scalar first = Scalar.fromInt(part * ROWS_OF_PART);
        Scalar divisor = Scalar.fromInt(each);
        ColumnVector all = ColumnVector.sequence(first, ROWS_OF_PART);
        ColumnVector repeated = all.floorDiv(divisor)) {
      return repeated.castTo(isLong ? DType.INT64 : DType.INT32);
    }
  }

  /** Rows of a long and an int, each so many times. */
  private static List<DeviceBatch> rows(int parts, int each) {
    return IntStream.range(0, parts)
        .mapToObj(
            part ->
                new DeviceBatch(
                    List.of(numbers(true, part, each), numbers(false, part, each)), ROWS_OF_PART))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "INNER, long, 1, 4",
    "INNER, both, 1, 1",
    "INNER, long, 1000, 4",
    "INNER, cast, 1, 4",
    "OUTER, long, 1, 1",
    "SEMI, long, 1, 4",
    "SEMI, both, 1, 1",
    "SEMI, cast, 1, 1",
    "SEMI, long, 1000, 4",
    "ANTI, long, 2, 1",
    "EXISTENCE, both, 2, 4"
  })
  void theRoomIsWhatLibcudfTakes(Kind kind, String keys, int each, int parts) {
    Join join = join(kind, keys);
    CountedRoom room = new CountedRoom();
    List<DeviceBatch> rows = rows(parts, each);
    long ofRows = rows.stream().mapToLong(DeviceBatch::bytes).sum();
    Cuda.DEFAULT_STREAM.sync();
    // Relative to the rows, for which there is room already.
    Rmm.resetScopedMaximumBytesAllocated(0);
    long before = Rmm.getTotalBytesAllocated();
    try (BuildTable table = BuildTable.make(rows, join, room)) {
      long most = Rmm.getScopedMaximumBytesAllocated();
      long stays = Rmm.getTotalBytesAllocated() - before;
      assertThat(table.isEmpty()).isFalse();
      assertThat(most)
          .as("%d bytes of rows, at most %d beside them, %d stay", ofRows, room.most, stays)
          .isBetween(room.most / 2, room.most + ROUNDING);
      assertThat(stays).isLessThanOrEqualTo(room.reserved + ROUNDING);
    }
    assertThat(Rmm.getTotalBytesAllocated()).isEqualTo(before - ofRows);
    assertThat(room.reserved).isEqualTo(room.own);
  }
}

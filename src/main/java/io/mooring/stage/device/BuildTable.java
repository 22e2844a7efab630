package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HashJoin;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.OrderByArg;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.ExprEvaluator;
import io.mooring.expr.device.SparkFallbackException;
import io.mooring.gpu.Room;
import io.mooring.scan.prune.KeyRanges;
import io.mooring.stage.program.OperatorMemory;
import io.mooring.stage.program.RowOperator.Join;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.jspecify.annotations.Nullable;

/**
 * A build side on the device: its rows, and a hash table of its keys. Immutable and complete once
 * it is made, so that any number of threads may probe it, each on its own stream.
 */
final class BuildTable implements AutoCloseable {
  private final DeviceBatch rows;
  private final @Nullable HashJoin hash;
  private final List<@Nullable KeyRanges> ranges;
  private final boolean hasNullKey;

  private BuildTable(
      DeviceBatch rows,
      @Nullable HashJoin hash,
      List<@Nullable KeyRanges> ranges,
      boolean hasNullKey) {
    this.rows = rows;
    this.hash = hash;
    this.ranges = ranges;
    this.hasNullKey = hasNullKey;
  }

  /**
   * Makes the table on the stream of the calling thread, and waits for that.
   *
   * @throws SparkFallbackException when only Spark can read its rows or its keys
   */
  static BuildTable make(HashedRelation relation, Join join, Room room) {
    try (DeviceBatch all = RowUpload.uploaded(relation, join.buildTypes(), room::take)) {
      boolean hasNullKey = HashedRelationRows.hasNullKey(relation);
      return of(all, join, relation.keyIsUnique(), hasNullKey, room);
    }
  }

  /** Makes the table of rows that are on the device already, and closes them. */
  static BuildTable make(List<DeviceBatch> rows, Join join, Room room) {
    try (DeviceBatch all = concatenated(rows, join, room)) {
      return of(all, join, false, false, room);
    }
  }

  private static DeviceBatch concatenated(List<DeviceBatch> rows, Join join, Room room) {
    long count = rows.stream().mapToLong(DeviceBatch::rows).sum();
    if (count > Integer.MAX_VALUE) {
      rows.forEach(DeviceBatch::close);
      throw new SparkFallbackException("the build side of a join has " + count + " rows");
    }
    return switch (rows.size()) {
      case 0 -> DeviceBatches.concatenated(rows, join.buildTypes());
      case 1 -> rows.get(0);
      default -> ColumnConcatenation.of(rows, room);
    };
  }

  private static BuildTable of(
      DeviceBatch all, Join join, boolean unique, boolean hasNullKey, Room room) {
    List<Integer> ordinals =
        join.takesKeysAlone() ? List.of() : IntStream.range(0, all.width()).boxed().toList();
    if (all.rows() == 0) {
      List<@Nullable KeyRanges> none =
          Collections.nCopies(join.buildKeys().size(), KeyRanges.EMPTY);
      return new BuildTable(DeviceBatches.selected(all, ordinals), null, none, hasNullKey)
          .complete();
    }
    List<ColumnVector> keys =
        DeviceBatches.of(join.buildKeys(), key -> ExprEvaluator.evaluate(key, all));
    try {
      room.take(computedBytes(join, keys));
      List<@Nullable KeyRanges> ranges = keys.stream().map(KeyColumns::ranges).toList();
      HashJoin hash =
          unique || !join.takesKeysAlone() ? hash(keys, room) : hashOfDistinct(keys, room);
      return new BuildTable(DeviceBatches.selected(all, ordinals), hash, ranges, hasNullKey)
          .complete();
    } finally {
      keys.forEach(ColumnVector::close);
    }
  }

  /** Waits for the stream, because others probe on streams of their own. */
  private BuildTable complete() {
    boolean complete = false;
    try {
      Cuda.DEFAULT_STREAM.sync();
      complete = true;
      return this;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  private static HashJoin hash(List<ColumnVector> keys, Room room) {
    try (Table table = new Table(keys.toArray(ColumnVector[]::new))) {
      return hash(table, room);
    }
  }

  private static HashJoin hash(Table keys, Room room) {
    room.take(keys.getRowCount() * OperatorMemory.HASH_TABLE_BYTES);
    return new HashJoin(keys, false);
  }

  /**
   * At the end the distinct keys take the room of the columns that they are copied from, which do
   * not stay.
   */
  private static HashJoin hashOfDistinct(List<ColumnVector> keys, Room room) {
    try (Table distinct = distinct(keys, room);
        Room.Temporary copy = room.temporary()) {
      copy.take(distinct.getDeviceMemorySize());
      return hash(distinct, room);
    }
  }

  private static Table distinct(List<ColumnVector> keys, Room room) {
    int[] all = IntStream.range(0, keys.size()).toArray();
    try (Room.Temporary copies = room.temporary();
        Table table = new Table(keys.toArray(ColumnVector[]::new))) {
      copies.take(OperatorMemory.ofDistinct(table.getRowCount(), table.getDeviceMemorySize()));
      return table.dropDuplicates(all, Table.DuplicateKeepOption.KEEP_ANY, true);
    }
  }

  /** Bytes of the keys that are no columns of the build side. */
  private static long computedBytes(Join join, List<ColumnVector> keys) {
    return IntStream.range(0, keys.size())
        .filter(i -> !(join.buildKeys().get(i) instanceof DeviceExpr.InputColumn))
        .mapToLong(i -> keys.get(i).getDeviceMemorySize())
        .sum();
  }

  /** The rows; without columns where only keys count. They stay the table's. */
  DeviceBatch rows() {
    return rows;
  }

  /** The hash table of its keys; null when there is no row. */
  @Nullable HashJoin hash() {
    return hash;
  }

  /** Ranges that hold a key's values; null unless it is an int, a long or a date. */
  @Nullable KeyRanges ranges(int key) {
    return ranges.get(key);
  }

  /** Whether a null-aware join found a null key; the table has no row then. */
  boolean hasNullKey() {
    return hasNullKey;
  }

  /** Whether there is no row. */
  boolean isEmpty() {
    return rows.rows() == 0;
  }

  @Override
  public void close() {
    rows.close();
    if (hash != null) {
      hash.close();
    }
  }

  /** Ranges of the values of a join's keys, by which files of the other side are pruned. */
  private static final class KeyColumns {
    private static final Set<DType> WHOLE_NUMBERS =
        Set.of(DType.INT32, DType.INT64, DType.TIMESTAMP_DAYS);
    // Sorting these takes less than a millisecond and some 30 MiB. More keys than these leave few
    // gaps.
    private static final int MOST_SORTED = 1 << 20;

    private KeyColumns() {}

    /**
     * Ranges that hold the values; null unless they are ints, longs or dates. Waits for the calling
     * thread's stream.
     */
    static @Nullable KeyRanges ranges(ColumnVector key) {
      if (!WHOLE_NUMBERS.contains(key.getType())) {
        return null;
      } else if (key.getNullCount() == key.getRowCount()) {
        return KeyRanges.EMPTY;
      } else if (key.getRowCount() <= MOST_SORTED) {
        return KeyRanges.of(ascending(key));
      }
      try (Scalar least = key.min();
          Scalar greatest = key.max()) {
        return KeyRanges.between(value(least), value(greatest));
      }
    }

    private static long value(Scalar scalar) {
      return scalar.getType().equals(DType.INT64) ? scalar.getLong() : scalar.getInt();
    }

    private static long[] ascending(ColumnVector key) {
      int values = (int) (key.getRowCount() - key.getNullCount());
      try (Table table = new Table(key);
          Table sorted = table.orderBy(OrderByArg.asc(0, false));
          HostColumnVector host = sorted.getColumn(0).copyToHost()) {
        if (key.getType().equals(DType.INT64)) {
          long[] ascending = new long[values];
          host.getData().getLongs(ascending, 0, 0, values);
          return ascending;
        }
        int[] ascending = new int[values];
        host.getData().getInts(ascending, 0, 0, values);
        return Arrays.stream(ascending).asLongStream().toArray();
      }
    }
  }
}

package io.mooring.stage.device;

import io.mooring.expr.device.DeviceBatch;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.types.DataType;

/** Rows of Spark's on their way to the device. Belongs to one thread. */
public final class BuildRows implements AutoCloseable {
  private static final long STEP_BYTES = 16L << 20;

  private final List<BuildColumn> columns = new ArrayList<>();
  private final LongConsumer room;
  private long rows;
  private long bytes;

  private BuildRows(List<DataType> types, LongConsumer room) {
    this.room = room;
    for (int i = 0; i < types.size(); i++) {
      columns.add(new BuildColumn(i, types.get(i)));
    }
  }

  /**
   * All rows of a broadcast, which the caller closes.
   *
   * @param room asked for as rows are read, so that no more of them are than fit
   */
  static DeviceBatch uploaded(HashedRelation relation, List<DataType> types, LongConsumer room) {
    try (BuildRows rows = new BuildRows(types, room)) {
      RelationRows.forEach(relation, rows::append);
      room.accept(rows.bytes);
      return new DeviceBatch(Columns.of(rows.columns, it -> it.onDevice(rows.rows)), rows.rows);
    }
  }

  /** As the other, of rows that are valid until the next one; their room is not asked for. */
  public static DeviceBatch uploaded(Iterator<InternalRow> source, List<DataType> types) {
    try (BuildRows rows = new BuildRows(types, bytes -> {})) {
      source.forEachRemaining(rows::append);
      return new DeviceBatch(Columns.of(rows.columns, it -> it.onDevice(rows.rows)), rows.rows);
    }
  }

  private void append(InternalRow row) {
    for (BuildColumn column : columns) {
      bytes += column.append(row);
    }
    rows++;
    if (bytes >= STEP_BYTES) {
      room.accept(bytes);
      bytes = 0;
    }
  }

  @Override
  public void close() {
    columns.forEach(BuildColumn::close);
  }
}

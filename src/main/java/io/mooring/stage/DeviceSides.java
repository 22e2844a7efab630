package io.mooring.stage;

import io.mooring.expr.device.DeviceBatch;
import io.mooring.gpu.Room;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;

/** The rows of the build sides of full outer joins, on the device. Belongs to one thread. */
record DeviceSides(List<List<DeviceBatch>> all) implements AutoCloseable {
  DeviceSides() {
    this(new ArrayList<>());
  }

  /** Adds the rows of a side; false where only Spark can compute them. */
  boolean add(RDD<InternalRow> side, Room room, boolean isOnlyTask) {
    List<DeviceBatch> rows =
        side instanceof FinalStageRdd stage ? stage.onDevice(room, isOnlyTask) : null;
    return rows != null && all.add(rows);
  }

  @Override
  public void close() {
    all.forEach(side -> side.forEach(DeviceBatch::close));
  }
}

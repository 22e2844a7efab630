package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.GatherMap;
import ai.rapids.cudf.OutOfBoundsPolicy;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.stage.program.RowOperator.Join.Column;
import io.mooring.stage.program.RowOperator.Join.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gather maps of a join: pairs of a streamed row and a row of the build side, by their ordinals.
 * The build side's is negative where a streamed row has no match.
 *
 * @param streamed owned, as {@code build} is
 */
record JoinMatches(ColumnVector streamed, ColumnVector build) implements AutoCloseable {
  /** No pair. */
  static JoinMatches none() {
    ColumnVector empty = constant(0, 0);
    return new JoinMatches(empty, empty.incRefCount());
  }

  /** Takes over libcudf's gather maps: of the streamed rows, and of the build side's. */
  static JoinMatches of(GatherMap[] maps) {
    try (GatherMap streamed = maps[0];
        GatherMap build = maps[1]) {
      List<ColumnVector> numbers = DeviceBatches.of(List.of(streamed, build), JoinMatches::numbers);
      return new JoinMatches(numbers.get(0), numbers.get(1));
    }
  }

  /** The row numbers of a gather map, whose memory the column takes over. */
  static ColumnVector numbers(GatherMap map) {
    long rows = map.getRowCount();
    return rows == 0
        ? constant(0, 0)
        : new ColumnVector(DType.INT32, rows, Optional.of(0L), map.releaseBuffer(), null, null);
  }

  private static ColumnVector constant(int value, int rows) {
    try (Scalar scalar = Scalar.fromInt(value)) {
      return ColumnVector.fromScalar(scalar, rows);
    }
  }

  long count() {
    return streamed.getRowCount();
  }

  /** The pairs for which a mask is true. */
  JoinMatches filtered(ColumnVector mask) {
    try (Table all = new Table(streamed, build);
        Table selected = all.filter(mask)) {
      return new JoinMatches(
          selected.getColumn(0).incRefCount(), selected.getColumn(1).incRefCount());
    }
  }

  /** Whether each streamed row is in a pair. */
  ColumnVector mask(long rows) {
    try (ColumnVector none = BroadcastProbe.constant(false, rows)) {
      if (count() == 0) {
        return none.incRefCount();
      }
      try (Table target = new Table(none);
          Scalar yes = Scalar.fromBool(true);
          Table mask = Table.scatter(new Scalar[] {yes}, streamed, target)) {
        return mask.getColumn(0).incRefCount();
      }
    }
  }

  /** The pairs, and the streamed rows without one. */
  JoinMatches withOthers(long rows) {
    try (ColumnVector others = others(rows);
        ColumnVector noNumber = constant(Integer.MIN_VALUE, (int) others.getRowCount());
        ColumnVector all = ColumnVector.concatenate(streamed, others)) {
      ColumnVector numbers = ColumnVector.concatenate(build, noNumber);
      return new JoinMatches(all.incRefCount(), numbers);
    }
  }

  private ColumnVector others(long rows) {
    try (ColumnVector mask = mask(rows);
        ColumnVector unmatched = mask.not();
        Scalar zero = Scalar.fromInt(0);
        ColumnVector numbers = ColumnVector.sequence(zero, (int) rows);
        Table all = new Table(numbers);
        Table selected = all.filter(unmatched)) {
      return selected.getColumn(0).incRefCount();
    }
  }

  /** The columns of the pairs, in order; the build side's are null where there is no match. */
  DeviceBatch columns(List<Column> wanted, DeviceBatch streamedRows, DeviceBatch buildRows) {
    List<ColumnVector> columns = new ArrayList<>();
    try (DeviceBatch ofStreamed =
            gathered(wanted, Side.STREAMED, streamedRows, streamed, OutOfBoundsPolicy.DONT_CHECK);
        DeviceBatch ofBuild =
            gathered(wanted, Side.BUILD, buildRows, build, OutOfBoundsPolicy.NULLIFY)) {
      int streamedAt = 0;
      int buildAt = 0;
      for (Column column : wanted) {
        ColumnVector next =
            column.side() == Side.STREAMED
                ? ofStreamed.column(streamedAt++)
                : ofBuild.column(buildAt++);
        columns.add(next.incRefCount());
      }
      return new DeviceBatch(columns, count());
    }
  }

  private static DeviceBatch gathered(
      List<Column> wanted,
      Side side,
      DeviceBatch rows,
      ColumnVector numbers,
      OutOfBoundsPolicy policy) {
    List<Integer> ordinals =
        wanted.stream().filter(it -> it.side() == side).map(Column::ordinal).toList();
    if (ordinals.isEmpty()) {
      return new DeviceBatch(List.of(), numbers.getRowCount());
    }
    try (DeviceBatch selected = DeviceBatches.selected(rows, ordinals);
        Table all = DeviceBatches.table(selected);
        Table found = all.gather(numbers, policy)) {
      return DeviceBatches.batch(found, ordinals.size());
    }
  }

  @Override
  public void close() {
    streamed.close();
    build.close();
  }
}

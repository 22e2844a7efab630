package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HashJoin;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.ExprEvaluator;
import io.mooring.scan.task.ResultTooLargeException;
import io.mooring.stage.program.RowOperator.Join;
import io.mooring.stage.program.RowOperator.Join.Kind;
import io.mooring.stage.program.RowOperator.Join.Side;
import java.util.List;
import java.util.Objects;

/** Joins rows with a build side on the device. */
record BroadcastProbe(Join join, BuildTable build) {
  /**
   * The rows of the join, which the caller closes.
   *
   * @throws BatchSlices.NeededException when they would be too many at once
   * @throws ResultTooLargeException when they would be too many of one row
   */
  DeviceBatch apply(DeviceBatch rows) {
    if (join.kind() == Kind.NULL_AWARE_ANTI) {
      try (ColumnVector mask = certain(rows)) {
        return selected(rows, mask);
      }
    } else if (build.hash() == null) {
      return ofNoMatch(rows);
    } else if (join.pairsRows()) {
      try (JoinMatches matches = join.kind() == Kind.INNER ? matches(rows) : withOthers(rows)) {
        return matches.columns(join.output(), rows, build.rows());
      }
    }
    try (JoinMatches matches = matches(rows);
        ColumnVector mask = matches.mask(rows.rows())) {
      return masked(rows, mask);
    }
  }

  /**
   * A mask of the rows that certainly have no match, as in NOT IN: a null key may match any key.
   */
  private ColumnVector certain(DeviceBatch rows) {
    if (build.hasNullKey() || build.hash() == null) {
      return constant(!build.hasNullKey(), rows.rows());
    }
    try (Table keys = keys(rows);
        ColumnVector known = keys.getColumn(0).isNotNull();
        JoinMatches matches = matches(rows);
        ColumnVector found = matches.mask(rows.rows());
        ColumnVector notFound = found.not()) {
      return known.and(notFound);
    }
  }

  /** The result where the build side has no rows. */
  private DeviceBatch ofNoMatch(DeviceBatch rows) {
    if (join.kind() == Kind.OUTER) {
      return new DeviceBatch(
          DeviceBatches.of(
              join.output(),
              it ->
                  it.side() == Side.STREAMED
                      ? rows.column(it.ordinal()).incRefCount()
                      : DeviceBatches.nulls(
                          build.rows().column(it.ordinal()).getType(), rows.rows())),
          rows.rows());
    }
    try (JoinMatches none = JoinMatches.none()) {
      if (join.kind() == Kind.INNER) {
        return none.columns(join.output(), rows, build.rows());
      }
      try (ColumnVector mask = none.mask(rows.rows())) {
        return masked(rows, mask);
      }
    }
  }

  /** The rows of a semi, anti or existence join. */
  private DeviceBatch masked(DeviceBatch rows, ColumnVector mask) {
    if (join.kind() == Kind.EXISTENCE) {
      List<ColumnVector> columns =
          join.output().stream()
              .map(it -> it.side() == Side.EXISTS ? mask : rows.column(it.ordinal()))
              .map(ColumnVector::incRefCount)
              .toList();
      return new DeviceBatch(columns, rows.rows());
    }
    try (ColumnVector selection = join.kind() == Kind.SEMI ? mask.incRefCount() : mask.not()) {
      return selected(rows, selection);
    }
  }

  /** The rows for which a mask is true. */
  private DeviceBatch selected(DeviceBatch rows, ColumnVector mask) {
    List<Integer> ordinals = join.output().stream().map(Join.Column::ordinal).toList();
    try (DeviceBatch selected = DeviceBatches.selected(rows, ordinals)) {
      return DeviceBatches.filtered(selected, mask);
    }
  }

  /** The matches, and the rows without one. */
  private JoinMatches withOthers(DeviceBatch rows) {
    if (join.condition() == null) {
      try (Table keys = keys(rows)) {
        HashJoin hash = hash();
        long count = keys.leftJoinRowCount(hash);
        checkSize(count, rows);
        return JoinMatches.of(keys.leftJoinGatherMaps(hash, count));
      }
    }
    try (JoinMatches matches = matches(rows)) {
      return matches.withOthers(rows.rows());
    }
  }

  /** The pairs of equal keys for which the condition is true. */
  private JoinMatches matches(DeviceBatch rows) {
    try (Table keys = keys(rows)) {
      HashJoin hash = hash();
      long count = keys.innerJoinRowCount(hash);
      checkSize(count, rows);
      JoinMatches pairs = JoinMatches.of(keys.innerJoinGatherMaps(hash, count));
      Join.Condition condition = join.condition();
      return condition == null ? pairs : passing(pairs, condition, rows);
    }
  }

  private HashJoin hash() {
    return Objects.requireNonNull(build.hash());
  }

  private Table keys(DeviceBatch rows) {
    List<ColumnVector> keys =
        DeviceBatches.of(join.keys(), key -> ExprEvaluator.evaluate(key, rows));
    try {
      return new Table(keys.toArray(ColumnVector[]::new));
    } finally {
      keys.forEach(ColumnVector::close);
    }
  }

  /** Closes the pairs. */
  private JoinMatches passing(JoinMatches pairs, Join.Condition condition, DeviceBatch rows) {
    try (pairs;
        DeviceBatch input = pairs.columns(condition.input(), rows, build.rows());
        ColumnVector passes = ExprEvaluator.evaluate(condition.expr(), input)) {
      return pairs.filtered(passes);
    }
  }

  private void checkSize(long pairs, DeviceBatch rows) {
    long each = 2L * Integer.BYTES + bytesOfARow(rows) + bytesOfARow(build.rows());
    BatchSlices.checkPairs(pairs, each, rows.rows());
  }

  private static long bytesOfARow(DeviceBatch rows) {
    long bytes = 0;
    for (int i = 0; i < rows.width(); i++) {
      bytes += rows.column(i).getDeviceMemorySize();
    }
    return bytes / Math.max(1, rows.rows());
  }

  /** A mask of no rows, or of all. */
  static ColumnVector constant(boolean value, long rows) {
    try (Scalar scalar = Scalar.fromBool(value)) {
      return ColumnVector.fromScalar(scalar, (int) rows);
    }
  }
}

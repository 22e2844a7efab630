package io.mooring.expr.device;

import static org.apache.spark.sql.catalyst.util.DateTimeConstants.MICROS_PER_DAY;

import ai.rapids.cudf.BinaryOp;
import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Timestamps and their local times in a zone, as columns of microseconds without nulls. Local times
 * that a zone skips or repeats become instants as in {@link java.time.ZonedDateTime}.
 */
final class ZonedTimes {
  private static final long MOST_MICROS = DateFunctions.MOST_DAYS * MICROS_PER_DAY;

  private final ZoneId zone;
  private final Evaluation e;

  ZonedTimes(ZoneId zone, Evaluation e) {
    this.zone = zone;
    this.e = e;
  }

  /** The greatest absolute number of microseconds since 1970 that can be computed with. */
  long mostMicros() {
    return zone instanceof ZoneOffset ? MOST_MICROS : ZoneTransitions.MOST_MICROS;
  }

  /** The local times of timestamps. */
  ColumnView local(ColumnView timestamps) {
    ColumnView micros = micros(timestamps);
    if (zone instanceof ZoneOffset fixed) {
      return timestamps(shifted(micros, ZoneTransitions.micros(fixed)));
    }
    return timestamps(e.binary(BinaryOp.ADD, micros, offsets(micros), DType.INT64));
  }

  /** The timestamps of local times; the earlier ones where local times are repeated. */
  ColumnView instants(ColumnView local) {
    if (zone instanceof ZoneOffset fixed) {
      return shifted(local, -ZoneTransitions.micros(fixed));
    }
    ZoneTransitions known = ZoneTransitions.of(zone);
    ColumnView offsets = found(known.locals(), local, known.offsets());
    return e.binary(BinaryOp.SUB, local, offsets, DType.INT64);
  }

  /** The timestamps at which days begin: of their first local time that the zone does not skip. */
  ColumnView startsOfDays(ColumnView midnights) {
    ColumnView local = micros(midnights);
    ColumnView instants = instants(local);
    if (zone instanceof ZoneOffset) {
      return timestamps(instants);
    }
    ZoneTransitions known = ZoneTransitions.of(zone);
    ColumnVector back = e.binary(BinaryOp.ADD, instants, offsets(instants), DType.INT64);
    ColumnVector skipped = e.test(BinaryOp.NOT_EQUAL, back, local);
    ColumnView ends = found(known.instants(), instants, known.starts());
    return timestamps(e.select(skipped, ends, instants));
  }

  /** Timestamps whose local times are truncated, with the same offset where it is possible. */
  ColumnView truncated(ColumnView timestamps, long unit) {
    ColumnView micros = micros(timestamps);
    if (zone instanceof ZoneOffset fixed) {
      long offset = ZoneTransitions.micros(fixed);
      return timestamps(shifted(floor(shifted(micros, offset), unit), -offset));
    }
    ColumnView offsets = offsets(micros);
    ColumnView local = floor(e.binary(BinaryOp.ADD, micros, offsets, DType.INT64), unit);
    ColumnVector instants = e.binary(BinaryOp.SUB, local, offsets, DType.INT64);
    ColumnVector same = e.test(BinaryOp.EQUAL, offsets(instants), offsets);
    return timestamps(e.select(same, instants, instants(local)));
  }

  /** Numbers truncated to multiples of a unit. */
  ColumnView floor(ColumnView micros, long unit) {
    ColumnVector rest = e.binary(BinaryOp.PMOD, micros, e.number(unit, DType.INT64), DType.INT64);
    return e.binary(BinaryOp.SUB, micros, rest, DType.INT64);
  }

  private ColumnView offsets(ColumnView instants) {
    ZoneTransitions known = ZoneTransitions.of(zone);
    return found(known.instants(), instants, known.offsets());
  }

  /**
   * The value of each number: that with the index of the first threshold above it.
   *
   * @param thresholds ascending, one less than values
   */
  private ColumnView found(long[] thresholds, ColumnView numbers, long[] values) {
    Table sorted = table(thresholds);
    Table searched = e.keep(new Table(e.keep(e.result(numbers))));
    ColumnVector index =
        e.keep(sorted.upperBound(new boolean[] {true}, searched, new boolean[] {false}));
    return e.keep(table(values).gather(index)).getColumn(0);
  }

  private Table table(long[] numbers) {
    return e.keep(new Table(e.keep(ColumnVector.fromLongs(numbers))));
  }

  private ColumnView shifted(ColumnView micros, long offset) {
    Scalar more = e.number(offset, DType.INT64);
    return offset == 0 ? micros : e.binary(BinaryOp.ADD, micros, more, DType.INT64);
  }

  /** Timestamps as microseconds since 1970. */
  ColumnView micros(ColumnView timestamps) {
    return e.bits(timestamps, DType.INT64);
  }

  ColumnView timestamps(ColumnView micros) {
    return e.bits(micros, DType.TIMESTAMP_MICROSECONDS);
  }
}

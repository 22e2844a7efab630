package io.mooring.stage.device;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.GroupByAggregation;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;
import io.mooring.expr.device.DeviceBatch;
import io.mooring.expr.device.SignedZeros;
import io.mooring.stage.program.BufferFunction;
import io.mooring.stage.program.BufferFunction.Kind;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.types.DecimalType;

/** The buffers of one aggregate function, as Spark lays out those of a partial aggregate. */
interface AggregateBuffers {
  /** Adds the aggregations that give the buffers. */
  Results update(GroupByBuilder requests, AggregateInputs inputs);

  /**
   * Adds the aggregations that merge buffers.
   *
   * @param first the ordinal of the first buffer
   * @param most the number of partial groups that one group can have
   */
  Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most);

  /** Takes a function's buffers out of the table of results. */
  interface Results {
    /** The buffers, in order; the caller closes them. */
    List<ColumnVector> of(Table grouped);
  }

  static AggregateBuffers of(BufferFunction function) {
    return switch (function.kind()) {
      case COUNT -> new CountBuffers(function);
      case SUM -> new SumBuffers(function);
      case DECIMAL_SUM -> new DecimalSumBuffers(function);
      case AVERAGE -> new AverageBuffers(function);
      case MIN, MAX -> new ExtremeBuffers(function);
      case MOMENTS -> new MomentBuffers(function);
    };
  }

  private static Results column(int at) {
    return grouped -> List.of(grouped.getColumn(at).incRefCount());
  }

  /** Sums, zero for no values, and the buffer beside them. */
  private static List<ColumnVector> zeroAnd(ColumnVector sums, Supplier<ColumnVector> other) {
    ColumnVector zeroed = DecimalSums.orZero(sums);
    try {
      return List.of(zeroed, other.get());
    } catch (RuntimeException | OutOfMemoryError e) {
      zeroed.close();
      throw e;
    }
  }

  /** The buffer of a count, a long. */
  record CountBuffers(BufferFunction function) implements AggregateBuffers {
    @Override
    public Results update(GroupByBuilder requests, AggregateInputs inputs) {
      ColumnVector mask = inputs.mask(function);
      int at =
          mask == null ? requests.countRows() : requests.add(GroupByAggregation.sum(), ones(mask));
      return grouped -> List.of(grouped.getColumn(at).castTo(DType.INT64));
    }

    private static ColumnVector ones(ColumnVector mask) {
      try (mask) {
        return mask.castTo(DType.INT64);
      }
    }

    @Override
    public Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most) {
      return column(requests.add(GroupByAggregation.sum(), partials.column(first).incRefCount()));
    }
  }

  /** The buffer of a sum, a long or a double: null for no values. */
  record SumBuffers(BufferFunction function) implements AggregateBuffers {
    @Override
    public Results update(GroupByBuilder requests, AggregateInputs inputs) {
      ColumnVector terms = inputs.terms(function);
      int at = requests.add(GroupByAggregation.sum(), terms);
      // Sums of narrower numbers of one unit always fit.
      if (function.ansi() && terms.getType().equals(DType.INT64)) {
        SumOverflow.checkLongs(terms, terms.getRowCount());
      }
      return column(at);
    }

    @Override
    public Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most) {
      ColumnVector sums = partials.column(first);
      if (function.ansi() && sums.getType().equals(DType.INT64)) {
        SumOverflow.checkLongs(sums, most);
      }
      return column(requests.add(GroupByAggregation.sum(), sums.incRefCount()));
    }
  }

  /** The buffers of a decimal sum: the sum, zero for no values, and whether there was no value. */
  record DecimalSumBuffers(BufferFunction function) implements AggregateBuffers {
    @Override
    public Results update(GroupByBuilder requests, AggregateInputs inputs) {
      return sum(requests, inputs.terms(function));
    }

    @Override
    public Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most) {
      try (ColumnVector sums = DecimalSums.partial(partials.column(first), function.input(), most);
          Scalar none = Scalar.fromNull(sums.getType())) {
        // The zero of a group without values must not count as a value of the merged sum.
        return sum(requests, partials.column(first + 1).ifElse(none, sums));
      }
    }

    private static Results sum(GroupByBuilder requests, ColumnVector values) {
      int at = requests.add(GroupByAggregation.sum(), values);
      return grouped -> zeroAnd(grouped.getColumn(at), grouped.getColumn(at)::isNull);
    }
  }

  /**
   * The buffers of an average: the sum as a decimal or a double, zero for no values, and the count.
   */
  record AverageBuffers(BufferFunction function) implements AggregateBuffers {
    @Override
    public Results update(GroupByBuilder requests, AggregateInputs inputs) {
      int sum = requests.add(GroupByAggregation.sum(), inputs.terms(function));
      try (ColumnVector input = inputs.input(function)) {
        return buffers(sum, requests.count(input));
      }
    }

    @Override
    public Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most) {
      ColumnVector sums = partials.column(first);
      ColumnVector summed =
          function.buffers().get(0) instanceof DecimalType
              ? DecimalSums.partial(sums, function.input(), most)
              : sums.incRefCount();
      int sum = requests.add(GroupByAggregation.sum(), summed);
      int count = requests.add(GroupByAggregation.sum(), partials.column(first + 1).incRefCount());
      return buffers(sum, count);
    }

    private static Results buffers(int sum, int count) {
      return grouped ->
          zeroAnd(grouped.getColumn(sum), () -> grouped.getColumn(count).castTo(DType.INT64));
    }
  }

  /** The buffer of a minimum or maximum: null for no values; NaN is greatest. */
  record ExtremeBuffers(BufferFunction function) implements AggregateBuffers {
    @Override
    public Results update(GroupByBuilder requests, AggregateInputs inputs) {
      return extreme(requests, inputs.input(function));
    }

    @Override
    public Results merge(GroupByBuilder requests, DeviceBatch partials, int first, int most) {
      return extreme(requests, partials.column(first).incRefCount());
    }

    /** Takes over {@code values}. */
    private Results extreme(GroupByBuilder requests, ColumnVector values) {
      DType type = values.getType();
      if (type.equals(DType.FLOAT32) || type.equals(DType.FLOAT64)) {
        return floating(requests, values);
      } else if (type.equals(DType.BOOL8)) {
        try (values) {
          int at = requests.add(aggregation(), values.castTo(DType.INT8));
          return grouped -> List.of(grouped.getColumn(at).castTo(DType.BOOL8));
        }
      }
      return column(requests.add(aggregation(), values));
    }

    private GroupByAggregation aggregation() {
      return function.kind() == Kind.MIN ? GroupByAggregation.min() : GroupByAggregation.max();
    }

    /**
     * The extreme of the numbers, and the counts of values with and without NaN.
     *
     * @throws io.mooring.expr.device.SparkFallbackException by the results, when a group's extreme
     *     may be 0.0 or -0.0
     */
    private Results floating(GroupByBuilder requests, ColumnVector values) {
      int all = requests.add(GroupByAggregation.count(), values);
      int number = requests.add(aggregation(), values.nansToNulls());
      int numbers = requests.add(GroupByAggregation.count(), values.nansToNulls());
      return grouped -> {
        SignedZeros.checkGroups(grouped.getColumn(number), values);
        return List.of(
            FloatingExtremes.withNan(
                function.kind() == Kind.MAX,
                grouped.getColumn(number),
                grouped.getColumn(all),
                grouped.getColumn(numbers)));
      };
    }
  }
}

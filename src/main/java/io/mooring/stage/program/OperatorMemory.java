package io.mooring.stage.program;

import io.mooring.expr.CommonExpressions;
import io.mooring.expr.DeviceExpr;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StringType;

/**
 * Estimates of the device memory that the operators of a stage take beside their input: the columns
 * that they make, and what libcudf holds while it makes them. A sum of long decimals takes several
 * times as much for each row as the column that it adds up.
 */
public final class OperatorMemory {
  /** The two gather maps of a join, or the order in which a grouping takes rows, and its labels. */
  private static final long MAP_BYTES = 16;

  private static final long STRING_BYTES = 24;

  /**
   * Bytes of a join's hash table for each row: a hash and a row number of four bytes each, in a
   * table that is half empty.
   */
  public static final long HASH_TABLE_BYTES = 16;

  /**
   * Bytes for each row while equal rows are left out: a row number in a table that is half empty,
   * and two copies of the number of each row that stays.
   */
  private static final long DISTINCT_BYTES = 16;

  private final long inputBytes;
  private long held;
  private long most;

  private OperatorMemory(long inputBytes) {
    this.inputBytes = inputBytes;
  }

  /**
   * What libcudf takes at most beside some rows while it copies those that differ.
   *
   * @param bytes of the rows
   */
  public static long ofDistinct(long rows, long bytes) {
    return Math.max(rows * DISTINCT_BYTES, bytes + rows * Integer.BYTES);
  }

  /**
   * The most bytes for each row of the input at a time. Joins are taken to find one row for each.
   *
   * @param inputBytes of a row of the input
   */
  public static long bytesOfRow(StageProgram program, long inputBytes) {
    OperatorMemory memory = new OperatorMemory(inputBytes);
    program.operators().forEach(memory::add);
    if (program.aggregate() != null) {
      memory.take(grouping(program.aggregate()));
    }
    return memory.most;
  }

  private void add(RowOperator operator) {
    long current = held == 0 ? inputBytes : held;
    if (operator instanceof RowOperator.Filter filter) {
      take(working(filter.condition()) + current);
      held = current;
    } else if (operator instanceof RowOperator.Project project) {
      hold(project.columns());
    } else if (operator instanceof RowOperator.Expand expand) {
      hold(expand.projections().get(0));
    } else if (operator instanceof RowOperator.Join join) {
      long joined = current + join.buildTypes().stream().mapToLong(OperatorMemory::bytes).sum();
      take(join.keys().stream().mapToLong(OperatorMemory::working).sum() + MAP_BYTES + joined);
      held = joined;
    }
  }

  /** Counts columns that replace those before. */
  private void hold(List<DeviceExpr> columns) {
    take(values(columns, columns) + mostWorking(columns));
    held = columns.stream().mapToLong(OperatorMemory::result).sum();
  }

  /** Counts bytes that are needed beside the columns that there are. */
  private void take(long bytes) {
    most = Math.max(most, held + bytes);
  }

  private static long grouping(GroupedAggregate aggregate) {
    List<DeviceExpr> expressions = aggregate.expressions();
    Set<DeviceExpr> inputs = new HashSet<>(aggregate.keys());
    Set<Object> terms = new HashSet<>();
    long added = 0;
    for (BufferFunction function : aggregate.functions()) {
      if (!function.merges() && function.kind() != BufferFunction.Kind.COUNT) {
        inputs.add(function.input());
        // The input as wide as the sum.
        DataType sum = function.buffers().get(0);
        if (terms.add(Arrays.asList(function.input(), function.filter(), sum))) {
          added += bytes(sum);
        }
      }
    }
    long sorted = aggregate.isSorted() ? added : 0;
    return MAP_BYTES + added + sorted + values(inputs, expressions) + mostWorking(expressions);
  }

  /** Bytes of some columns, and of the common expressions, which stay until all are evaluated. */
  private static long values(Collection<DeviceExpr> columns, Collection<DeviceExpr> expressions) {
    Set<DeviceExpr> all = new HashSet<>(CommonExpressions.of(expressions).all());
    all.addAll(columns);
    return all.stream().mapToLong(OperatorMemory::result).sum();
  }

  private static long mostWorking(Collection<DeviceExpr> expressions) {
    return expressions.stream().mapToLong(OperatorMemory::working).max().orElse(0);
  }

  /** Bytes of the values of an expression; none for a column that is there anyway. */
  private static long result(DeviceExpr expr) {
    return expr instanceof DeviceExpr.InputColumn ? 0 : bytes(expr.type());
  }

  /**
   * The most bytes that values take at a time while an expression is evaluated, its own included.
   */
  private static long working(DeviceExpr expr) {
    long before = 0;
    long most = 0;
    for (DeviceExpr child : expr.children()) {
      most = Math.max(most, before + working(child));
      before += result(child);
    }
    return Math.max(most, before + result(expr));
  }

  /** Bytes of a value in a column on the device; strings are taken to be short. */
  public static long bytes(DataType type) {
    if (type instanceof DecimalType decimal) {
      if (decimal.precision() <= Decimal.MAX_INT_DIGITS()) {
        return Integer.BYTES;
      }
      return decimal.precision() <= Decimal.MAX_LONG_DIGITS() ? Long.BYTES : 2 * Long.BYTES;
    }
    return type instanceof StringType ? STRING_BYTES : type.defaultSize();
  }
}

package io.mooring.pushdown;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * An expression over the columns of a scan, with Spark's semantics. Immutable. Executors without
 * cudf load this class too, so evaluation on the device is a {@link Visitor}.
 */
public sealed interface Expr extends Serializable
    permits Column,
        Constant,
        Comparison,
        Logical,
        Not,
        CaseWhen,
        IsNull,
        In,
        StringMatch,
        FloatingArithmetic,
        WideningCast,
        UnscaledValue {

  /** The Spark type of the values. */
  DataType type();

  /** The operands; empty for a column or a constant. */
  List<Expr> children();

  /** The same expression over other children, as many as {@link #children}. */
  Expr withChildren(List<Expr> children);

  /** The value for one row, in Spark's internal form. */
  @Nullable Object onRow(RowColumns row);

  /** The visitor's result for this kind of node. */
  <R> R accept(Visitor<R> visitor);

  /** Adds the names of all columns in it. */
  default void addColumns(Set<String> names) {
    children().forEach(child -> child.addColumns(names));
  }

  /**
   * A copy with constants for some columns. A part that has no other column is folded to a
   * constant.
   *
   * @param known gives null for a column that stays
   */
  default Expr bind(Function<Column, @Nullable Constant> known) {
    List<Expr> bound = children().stream().map(child -> child.bind(known)).toList();
    Expr same = withChildren(bound);
    boolean foldable = !bound.isEmpty() && bound.stream().allMatch(Constant.class::isInstance);
    return foldable ? new Constant(same.onRow(RowColumns.NONE), type()) : same;
  }

  /**
   * An operation with one method for each kind of expression, so that the compiler reports an
   * operation that lacks one.
   *
   * @param <R> the operation's result
   */
  interface Visitor<R> {
    R visit(Column column);

    R visit(Constant constant);

    R visit(Comparison comparison);

    R visit(Logical logical);

    R visit(Not not);

    R visit(CaseWhen branches);

    R visit(IsNull isNull);

    R visit(In in);

    R visit(StringMatch match);

    R visit(FloatingArithmetic arithmetic);

    R visit(WideningCast cast);

    R visit(UnscaledValue unscaled);
  }
}

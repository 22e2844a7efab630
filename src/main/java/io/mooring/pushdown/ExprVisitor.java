package io.mooring.pushdown;

/**
 * An operation on expressions with one method for each kind of node, so that the compiler finds a
 * node without one.
 *
 * @param <R> the operation's result
 */
public interface ExprVisitor<R> {
  R visit(Column column);

  R visit(Constant constant);

  R visit(Comparison comparison);

  R visit(Logical logical);

  R visit(Not not);

  R visit(CaseWhen branches);

  R visit(IsNull isNull);

  R visit(In in);

  R visit(StringMatch match);

  R visit(Arithmetic arithmetic);

  R visit(WideningCast cast);

  R visit(UnscaledValue unscaled);
}

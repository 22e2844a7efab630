package io.mooring.expr;

/**
 * An operation on expressions with one method for each kind of node, so that the compiler finds a
 * node without one.
 *
 * @param <R> the operation's result
 */
public interface DeviceExprVisitor<R> {
  R visit(DeviceExpr.InputColumn column);

  R visit(DeviceExpr.Literal literal);

  R visit(DeviceExpr.Comparison comparison);

  R visit(DeviceExpr.In in);

  R visit(DeviceExpr.Logical logical);

  R visit(DeviceExpr.CaseWhen branches);

  R visit(DeviceExpr.Choice choice);

  R visit(Arithmetic arithmetic);

  R visit(Unary unary);

  R visit(DeviceExpr.Cast cast);

  R visit(DateFunction function);

  R visit(StringFunction function);
}

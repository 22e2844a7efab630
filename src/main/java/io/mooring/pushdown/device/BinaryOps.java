package io.mooring.pushdown.device;

import ai.rapids.cudf.BinaryOp;
import io.mooring.pushdown.Arithmetic;
import io.mooring.pushdown.Comparison;
import io.mooring.pushdown.Logical;

/** libcudf's binary operations for the operators of expressions. */
final class BinaryOps {
  private BinaryOps() {}

  /** The comparison by IEEE 754, where it is false for NaN on either side. */
  static BinaryOp binaryOp(Comparison.Operator operator) {
    return switch (operator) {
      case EQUAL -> BinaryOp.EQUAL;
      case LESS -> BinaryOp.LESS;
      case LESS_OR_EQUAL -> BinaryOp.LESS_EQUAL;
      case GREATER -> BinaryOp.GREATER;
      case GREATER_OR_EQUAL -> BinaryOp.GREATER_EQUAL;
    };
  }

  static BinaryOp binaryOp(Logical.Operator operator) {
    return operator == Logical.Operator.AND ? BinaryOp.NULL_LOGICAL_AND : BinaryOp.NULL_LOGICAL_OR;
  }

  static BinaryOp binaryOp(Arithmetic.Operator operator) {
    return switch (operator) {
      case ADD -> BinaryOp.ADD;
      case SUBTRACT -> BinaryOp.SUB;
      case MULTIPLY -> BinaryOp.MUL;
    };
  }
}

package io.mooring.scan.split;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Decides from partition values whether a directory can hold a matching row. What it cannot decide
 * is kept, because Spark evaluates every predicate again.
 */
public final class PartitionPruner {
  private enum Truth {
    TRUE,
    FALSE,
    NULL,
    UNDECIDED;

    Truth not() {
      return this == TRUE ? FALSE : this == FALSE ? TRUE : this;
    }

    static Truth of(boolean value) {
      return value ? TRUE : FALSE;
    }
  }

  private final List<Predicate> predicates;
  private final StructType schema;

  public PartitionPruner(List<Predicate> predicates, StructType partitionSchema) {
    this.predicates = predicates;
    this.schema = partitionSchema;
  }

  public boolean mayMatch(InternalRow partitionValues) {
    for (Predicate predicate : predicates) {
      Truth truth = truth(predicate, partitionValues);
      if (truth == Truth.FALSE || truth == Truth.NULL) {
        return false;
      }
    }
    return true;
  }

  private Truth truth(Expression expression, InternalRow row) {
    if (!(expression instanceof Predicate predicate)) {
      return Truth.UNDECIDED;
    }
    Expression[] children = predicate.children();
    return switch (predicate.name()) {
      case "AND" -> and(truth(children[0], row), truth(children[1], row));
      case "OR" -> and(truth(children[0], row).not(), truth(children[1], row).not()).not();
      case "NOT" -> truth(children[0], row).not();
      case "IS_NULL" -> isNull(children[0], row);
      case "IS_NOT_NULL" -> isNull(children[0], row).not();
      case "IN" -> in(children, row);
      case "=", ">", ">=", "<", "<=", "<>" ->
          compare(predicate.name(), children[0], children[1], row);
      default -> Truth.UNDECIDED;
    };
  }

  /** SQL's AND; OR is its mirror. Undecided wins over null, because it may be either. */
  private static Truth and(Truth left, Truth right) {
    if (left == Truth.FALSE || right == Truth.FALSE) {
      return Truth.FALSE;
    } else if (left == Truth.UNDECIDED || right == Truth.UNDECIDED) {
      return Truth.UNDECIDED;
    }
    return left == Truth.NULL || right == Truth.NULL ? Truth.NULL : Truth.TRUE;
  }

  private Truth isNull(Expression child, InternalRow row) {
    int ordinal = ordinal(child);
    return ordinal < 0 ? Truth.UNDECIDED : Truth.of(row.isNullAt(ordinal));
  }

  private Truth in(Expression[] children, InternalRow row) {
    Truth any = Truth.FALSE;
    for (int i = 1; i < children.length; i++) {
      any = and(any.not(), compare("=", children[0], children[i], row).not()).not();
    }
    return any;
  }

  private Truth compare(String operator, Expression left, Expression right, InternalRow row) {
    int ordinal = ordinal(left);
    if (ordinal < 0 || !(right instanceof Literal<?> literal)) {
      return Truth.UNDECIDED;
    }
    DataType type = schema.fields()[ordinal].dataType();
    if (!type.equals(literal.dataType())) {
      return Truth.UNDECIDED;
    }
    Object value = row.get(ordinal, type);
    if (value == null || literal.value() == null) {
      return Truth.NULL;
    }
    int order = TypeUtils.getInterpretedOrdering(type).compare(value, literal.value());
    return Truth.of(
        switch (operator) {
          case "=" -> order == 0;
          case "<>" -> order != 0;
          case ">" -> order > 0;
          case ">=" -> order >= 0;
          case "<" -> order < 0;
          default -> order <= 0;
        });
  }

  /** The partition column that an expression names, or -1. */
  private int ordinal(@Nullable Expression expression) {
    if (!(expression instanceof NamedReference reference) || reference.fieldNames().length != 1) {
      return -1;
    }
    List<String> names = Arrays.stream(schema.fields()).map(StructField::name).toList();
    return names.indexOf(reference.fieldNames()[0]);
  }
}

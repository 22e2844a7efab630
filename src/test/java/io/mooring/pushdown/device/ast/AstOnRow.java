package io.mooring.pushdown.device.ast;

import ai.rapids.cudf.ast.AstExpression;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * What libcudf makes of an expression for one row, with its rules for null and NaN. The expression
 * is read from its text, since its parts are not accessible. Numbers are longs or doubles.
 */
final class AstOnRow {
  private static final String COLUMN = "LEFT COLUMN(";
  private static final String LITERAL = "Literal ";

  private final String text;
  private final List<Object> columns;
  private int at;

  private AstOnRow(String text, List<Object> columns) {
    this.text = text;
    this.columns = columns;
  }

  /**
   * @param columns the row's values, null for null
   */
  static Object value(AstExpression expression, List<Object> columns) {
    AstOnRow row = new AstOnRow(expression.toString(), columns);
    Object value = row.next();
    if (row.at != row.text.length()) {
      throw new IllegalStateException(row.text.substring(row.at) + " is left of " + row.text);
    }
    return value;
  }

  private Object next() {
    if (text.startsWith(COLUMN, at)) {
      at += COLUMN.length();
      return columns.get(Integer.parseInt(until(')')));
    } else if (text.startsWith(LITERAL, at)) {
      at += LITERAL.length();
      return literal(until(' '), until(']'));
    } else if (text.charAt(at) == '(') {
      at++;
      Object left = next();
      at++;
      String operator = until(' ');
      Object right = next();
      at++;
      return binary(operator, left, right);
    }
    String operator = until('(');
    Object child = next();
    at++;
    return unary(operator, child);
  }

  private String until(char end) {
    int from = at;
    at = text.indexOf(end, from) + 1;
    return text.substring(from, at - 1);
  }

  private static Object literal(String type, String numbers) {
    String[] parts = numbers.substring(1).split(", ");
    ByteBuffer bytes = ByteBuffer.allocate(parts.length).order(ByteOrder.nativeOrder());
    for (String part : parts) {
      bytes.put(Byte.parseByte(part));
    }
    bytes.flip();
    return switch (type) {
      case "BOOL8" -> bytes.get() != 0;
      case "FLOAT32" -> (double) bytes.getFloat();
      case "FLOAT64" -> bytes.getDouble();
      default ->
          switch (parts.length) {
            case 1 -> (long) bytes.get();
            case 2 -> (long) bytes.getShort();
            case 4 -> (long) bytes.getInt();
            default -> bytes.getLong();
          };
    };
  }

  private static Object unary(String operator, Object child) {
    if (operator.equals("IS_NULL")) {
      return child == null;
    } else if (child == null) {
      return null;
    }
    return switch (operator) {
      case "NOT" -> !(Boolean) child;
      case "CAST_TO_INT64" -> ((Number) child).longValue();
      case "CAST_TO_FLOAT64" -> ((Number) child).doubleValue();
      default -> throw new IllegalArgumentException(operator);
    };
  }

  private static Object binary(String operator, Object left, Object right) {
    if (operator.equals("NULL_LOGICAL_AND") || operator.equals("NULL_LOGICAL_OR")) {
      boolean decisive = operator.equals("NULL_LOGICAL_OR");
      if (left != null && right != null) {
        return decisive ? (Boolean) left || (Boolean) right : (Boolean) left && (Boolean) right;
      }
      Object known = left == null ? right : left;
      return known != null && known.equals(decisive) ? known : null;
    } else if (left == null || right == null) {
      return null;
    }
    return switch (operator) {
      case "EQUAL" -> ordered(left, right, order -> order == 0);
      case "LESS" -> ordered(left, right, order -> order < 0);
      case "LESS_EQUAL" -> ordered(left, right, order -> order <= 0);
      case "GREATER" -> ordered(left, right, order -> order > 0);
      case "GREATER_EQUAL" -> ordered(left, right, order -> order >= 0);
      default -> throw new IllegalArgumentException(operator);
    };
  }

  private static boolean ordered(Object left, Object right, IntPredicate holds) {
    if (left instanceof Boolean a) {
      return holds.test(Boolean.compare(a, (Boolean) right));
    } else if (left instanceof Long a) {
      return holds.test(Long.compare(a, (Long) right));
    }
    double a = (Double) left;
    double b = (Double) right;
    boolean comparable = !Double.isNaN(a) && !Double.isNaN(b);
    return comparable && holds.test(a < b ? -1 : a > b ? 1 : 0);
  }
}

package io.mooring.stage.program;

import static io.mooring.catalyst.ScalaLists.list;

import io.mooring.expr.CatalystTranslator;
import io.mooring.expr.DeviceExpr;
import io.mooring.expr.UnsupportedExpressionException;
import io.mooring.stage.program.RowOperator.Join;
import io.mooring.stage.program.RowOperator.Join.Kind;
import io.mooring.stage.program.RowOperator.Join.Side;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.ExistenceJoin;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftAnti$;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.jspecify.annotations.Nullable;
import scala.Option;

/** Translates one join with a broadcast. Not thread-safe. */
final class JoinTranslator {
  // A newer Spark's further arguments may change what the join means.
  private static final int KNOWN_PARTS = 8;

  private final BroadcastHashJoinExec join;
  private final List<Attribute> streamed;
  private final List<Attribute> build;
  private final SubqueryResults subqueries;

  /**
   * @param streamed the columns of the streamed side
   */
  JoinTranslator(BroadcastHashJoinExec join, List<Attribute> streamed, SubqueryResults subqueries) {
    this.join = join;
    this.streamed = streamed;
    this.build = list(JoinSides.build(join).output());
    this.subqueries = subqueries;
  }

  /**
   * The same join for the device.
   *
   * @param index of the broadcast among those of the stage
   * @param output the columns that are used above
   * @throws UnsupportedExpressionException for what the GPU would not compute exactly as Spark
   */
  Join translate(int index, List<Attribute> output) throws UnsupportedExpressionException {
    Kind kind = kind();
    for (Attribute column : build) {
      checkFlat(column.dataType());
    }
    boolean left = JoinSides.buildsLeft(join);
    List<DeviceExpr> keys = keys(left ? join.rightKeys() : join.leftKeys(), streamed);
    List<DeviceExpr> buildKeys = keys(left ? join.leftKeys() : join.rightKeys(), build);
    checkSameTypes(keys, buildKeys);
    List<Join.Column> columns = new ArrayList<>();
    for (Attribute column : output) {
      columns.add(column(column));
    }
    List<DataType> buildTypes = build.stream().map(Attribute::dataType).toList();
    return new Join(kind, index, buildTypes, keys, buildKeys, condition(), columns);
  }

  /** Refuses keys whose types differ between the sides of a join. */
  static void checkSameTypes(List<DeviceExpr> keys, List<DeviceExpr> buildKeys)
      throws UnsupportedExpressionException {
    for (int i = 0; i < keys.size(); i++) {
      if (!keys.get(i).type().equals(buildKeys.get(i).type())) {
        throw new UnsupportedExpressionException("keys of different types");
      }
    }
  }

  private Kind kind() throws UnsupportedExpressionException {
    JoinType type = join.joinType();
    boolean left = JoinSides.buildsLeft(join);
    if (!hasKnownParts()) {
      throw new UnsupportedExpressionException("a join with arguments of a newer Spark");
    } else if (join.isNullAwareAntiJoin()) {
      return nullAware();
    } else if (type instanceof InnerLike) {
      return Kind.INNER;
    } else if (type.equals(left ? RightOuter$.MODULE$ : LeftOuter$.MODULE$)) {
      return Kind.OUTER;
    } else if (!left && type.equals(LeftSemi$.MODULE$)) {
      return Kind.SEMI;
    } else if (!left && type.equals(LeftAnti$.MODULE$)) {
      return Kind.ANTI;
    } else if (!left && type instanceof ExistenceJoin) {
      return Kind.EXISTENCE;
    }
    throw new UnsupportedExpressionException(type.sql() + " join");
  }

  private Kind nullAware() throws UnsupportedExpressionException {
    DataType key = join.leftKeys().head().dataType();
    if (key instanceof FloatType || key instanceof DoubleType) {
      // Spark compares their bits here: only for other joins does it normalize zeros and NaNs.
      throw new UnsupportedExpressionException("null-aware anti join of type " + key.sql());
    }
    return Kind.NULL_AWARE_ANTI;
  }

  /** Whether the join has only known arguments, or defaults for others. */
  private boolean hasKnownParts() {
    for (int i = KNOWN_PARTS; i < join.productArity(); i++) {
      Object part = join.productElement(i);
      boolean none = part instanceof Option<?> option && option.isEmpty();
      if (!none && !Boolean.FALSE.equals(part)) {
        return false;
      }
    }
    return true;
  }

  private List<DeviceExpr> keys(
      scala.collection.Seq<Expression> expressions, List<Attribute> columns)
      throws UnsupportedExpressionException {
    CatalystTranslator translator = new CatalystTranslator(columns);
    List<DeviceExpr> keys = new ArrayList<>();
    for (Expression key : list(expressions)) {
      checkFlat(key.dataType());
      keys.add(translator.translate(subqueries.in(key)));
    }
    return keys;
  }

  private Join.@Nullable Condition condition() throws UnsupportedExpressionException {
    if (join.condition().isEmpty()) {
      return null;
    }
    Expression condition = subqueries.in(join.condition().get());
    AttributeSet references = condition.references();
    List<Attribute> input = new ArrayList<>(streamed);
    input.addAll(build);
    input.removeIf(column -> !references.contains((NamedExpression) column));
    List<Join.Column> columns = new ArrayList<>();
    for (Attribute column : input) {
      columns.add(column(column));
    }
    return new Join.Condition(new CatalystTranslator(input).translate(condition), columns);
  }

  private Join.Column column(Attribute column) throws UnsupportedExpressionException {
    int at = find(column, streamed);
    if (at >= 0) {
      return new Join.Column(Side.STREAMED, at);
    }
    at = find(column, build);
    if (at >= 0) {
      return new Join.Column(Side.BUILD, at);
    } else if (join.joinType() instanceof ExistenceJoin existence
        && existence.exists().exprId().equals(column.exprId())) {
      return new Join.Column(Side.EXISTS, 0);
    }
    throw new UnsupportedExpressionException("unknown column " + column.name());
  }

  private static int find(Attribute column, List<Attribute> columns) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).exprId().equals(column.exprId())) {
        return i;
      }
    }
    return -1;
  }

  private static void checkFlat(DataType type) throws UnsupportedExpressionException {
    if (!StageScan.isFlat(type)) {
      throw new UnsupportedExpressionException("type " + type.sql());
    }
  }
}

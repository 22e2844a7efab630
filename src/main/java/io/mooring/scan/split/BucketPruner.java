package io.mooring.scan.split;

import io.mooring.catalyst.ScalaLists;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.catalyst.catalog.BucketSpec;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.execution.datasources.BucketingUtils;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.StructField;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Chooses the files of a bucketed table that can hold a row for which some predicates are true. As
 * for Spark's own scans, these are predicates on the one column that the table is bucketed by.
 */
public final class BucketPruner {
  private static final ExprId ANY = new ExprId(0, new UUID(0, 0));

  private final AttributeReference column;
  private final int buckets;

  private BucketPruner(AttributeReference column, int buckets) {
    this.column = column;
    this.buckets = buckets;
  }

  /** The numbers of the buckets that are read; null for all files. */
  static @Nullable BitSet read(HadoopFsRelation relation, List<Predicate> predicates) {
    Option<BucketSpec> spec = relation.bucketSpec();
    if (spec.isEmpty()
        || spec.get().bucketColumnNames().length() != 1
        || spec.get().numBuckets() < 2
        || !relation.sparkSession().sessionState().conf().bucketingEnabled()) {
      return null;
    }
    StructField field = relation.schema().apply(spec.get().bucketColumnNames().head());
    AttributeReference column =
        new AttributeReference(
            field.name(), field.dataType(), true, field.metadata(), ANY, ScalaLists.empty());
    BucketPruner pruner = new BucketPruner(column, spec.get().numBuckets());
    BitSet read = pruner.all();
    predicates.forEach(predicate -> read.and(pruner.matching(predicate)));
    return read.cardinality() == pruner.buckets ? null : read;
  }

  /** How many buckets are read, for EXPLAIN; empty for all of them. */
  public static String describe(HadoopFsRelation relation, List<Predicate> predicates) {
    BitSet read = read(relation, predicates);
    return read == null
        ? ""
        : " buckets " + read.cardinality() + " of " + relation.bucketSpec().get().numBuckets();
  }

  /** Whether a file is in one of some buckets, or its name tells no bucket. */
  static boolean mayHold(@Nullable BitSet buckets, String fileName) {
    Option<Object> bucket = BucketingUtils.getBucketId(fileName);
    return buckets == null || bucket.isEmpty() || buckets.get((Integer) bucket.get());
  }

  /** The buckets of the rows for which a condition can be true. */
  private BitSet matching(Expression condition) {
    Expression[] children = condition.children();
    if (!(condition instanceof Predicate predicate)) {
      return all();
    }
    return switch (predicate.name()) {
      case "AND", "OR" -> {
        BitSet left = matching(children[0]);
        BitSet right = matching(children[1]);
        if (predicate.name().equals("AND")) {
          left.and(right);
        } else {
          left.or(right);
        }
        yield left;
      }
      case "=", "<=>", "IN" -> equal(children);
      case "IS_NULL" -> isColumn(children[0]) ? bucketOf(null) : all();
      default -> all();
    };
  }

  /** The buckets of the values that follow the column; all if there is anything else. */
  private BitSet equal(Expression[] columnAndValues) {
    Expression[] values = Arrays.copyOfRange(columnAndValues, 1, columnAndValues.length);
    if (!isColumn(columnAndValues[0]) || !Arrays.stream(values).allMatch(this::isOfItsType)) {
      return all();
    }
    BitSet found = new BitSet();
    Arrays.stream(values).forEach(value -> found.or(bucketOf(((Literal<?>) value).value())));
    return found;
  }

  private boolean isColumn(Expression expression) {
    return expression instanceof NamedReference reference
        && reference.fieldNames().length == 1
        && reference.fieldNames()[0].equals(column.name());
  }

  private boolean isOfItsType(Expression value) {
    return value instanceof Literal<?> literal && literal.dataType().equals(column.dataType());
  }

  private BitSet bucketOf(@Nullable Object value) {
    BitSet found = new BitSet();
    found.set(BucketingUtils.getBucketIdFromValue(column, buckets, value));
    return found;
  }

  private BitSet all() {
    BitSet all = new BitSet();
    all.set(0, buckets);
    return all;
  }
}

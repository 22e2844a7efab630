package io.mooring.scan.prune;

import io.mooring.scan.delta.DeltaFormat;
import io.mooring.scan.split.ColumnsInFiles;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.FieldReference$;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.And;
import org.apache.spark.sql.connector.expressions.filter.Not;
import org.apache.spark.sql.connector.expressions.filter.Or;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The names that a table's columns have in its files, where a table format renames them.
 *
 * @param names by the columns' own
 */
record FileNames(Map<String, String> names) implements Serializable {

  /** A predicate on columns of files; empty where it cannot be said by their names. */
  static Optional<Predicate> inFiles(HadoopFsRelation relation, Predicate predicate) {
    return DeltaFormat.is(relation.fileFormat())
        ? Optional.ofNullable(of(relation).predicate(predicate))
        : Optional.of(predicate);
  }

  private static FileNames of(HadoopFsRelation relation) {
    StructType columns = relation.dataSchema();
    return of(columns, ColumnsInFiles.of(relation, columns));
  }

  /** The names of some data columns. */
  static FileNames of(StructType columns, StructType inFiles) {
    Map<String, String> names = new HashMap<>();
    for (int i = 0; i < columns.length(); i++) {
      names.put(columns.fieldNames()[i], inFiles.fieldNames()[i]);
    }
    return new FileNames(names);
  }

  /** A column's name as Spark's filters have it: in backticks where it is no plain identifier. */
  static String inFilters(String column) {
    return FieldReference$.MODULE$.column(column).describe();
  }

  /** Their names as {@link #inFilters}. */
  static Set<String> inFilters(StructType columns) {
    return Arrays.stream(columns.fieldNames())
        .map(FileNames::inFilters)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Null for a predicate on anything but these columns. */
  @Nullable Predicate predicate(Predicate predicate) {
    Expression[] children =
        Arrays.stream(predicate.children()).map(this::inFile).toArray(Expression[]::new);
    if (Arrays.asList(children).contains(null)) {
      return null;
    } else if (predicate instanceof And) {
      return new And((Predicate) children[0], (Predicate) children[1]);
    } else if (predicate instanceof Or) {
      return new Or((Predicate) children[0], (Predicate) children[1]);
    }
    return predicate instanceof Not
        ? new Not((Predicate) children[0])
        : new Predicate(predicate.name(), children);
  }

  /** Null for fields of structs and functions, which prune nothing anyway. */
  private @Nullable Expression inFile(Expression expression) {
    if (expression instanceof Predicate predicate) {
      return predicate(predicate);
    } else if (expression instanceof NamedReference column) {
      String[] path = column.fieldNames();
      String name = path.length == 1 ? names.get(path[0]) : null;
      return name == null ? null : FieldReference$.MODULE$.column(name);
    }
    return expression instanceof Literal ? expression : null;
  }
}

package io.mooring.parquet.prune;

import java.util.stream.Stream;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Operators;
import org.apache.parquet.filter2.predicate.UserDefinedPredicate;
import org.apache.parquet.hadoop.metadata.ColumnPath;

/** The columns that a predicate refers to, some more than once. */
final class ReferencedColumns implements FilterPredicate.Visitor<Stream<ColumnPath>> {
  private ReferencedColumns() {}

  static Stream<ColumnPath> of(FilterPredicate predicate) {
    return predicate.accept(new ReferencedColumns());
  }

  private static Stream<ColumnPath> only(Operators.Column<?> column) {
    return Stream.of(column.getColumnPath());
  }

  @Override
  public <T extends Comparable<T>> Stream<ColumnPath> visit(Operators.Eq<T> eq) {
    return only(eq.getColumn());
  }

  @Override
  public <T extends Comparable<T>> Stream<ColumnPath> visit(Operators.NotEq<T> notEq) {
    return only(notEq.getColumn());
  }

  @Override
  public <T extends Comparable<T>> Stream<ColumnPath> visit(Operators.Lt<T> lt) {
    return only(lt.getColumn());
  }

  @Override
  public <T extends Comparable<T>> Stream<ColumnPath> visit(Operators.LtEq<T> ltEq) {
    return only(ltEq.getColumn());
  }

  @Override
  public <T extends Comparable<T>> Stream<ColumnPath> visit(Operators.Gt<T> gt) {
    return only(gt.getColumn());
  }

  @Override
  public <T extends Comparable<T>> Stream<ColumnPath> visit(Operators.GtEq<T> gtEq) {
    return only(gtEq.getColumn());
  }

  @Override
  public <T extends Comparable<T>> Stream<ColumnPath> visit(Operators.In<T> in) {
    return only(in.getColumn());
  }

  @Override
  public <T extends Comparable<T>> Stream<ColumnPath> visit(Operators.NotIn<T> notIn) {
    return only(notIn.getColumn());
  }

  @Override
  public Stream<ColumnPath> visit(Operators.And and) {
    return Stream.concat(and.getLeft().accept(this), and.getRight().accept(this));
  }

  @Override
  public Stream<ColumnPath> visit(Operators.Or or) {
    return Stream.concat(or.getLeft().accept(this), or.getRight().accept(this));
  }

  @Override
  public Stream<ColumnPath> visit(Operators.Not not) {
    return not.getPredicate().accept(this);
  }

  @Override
  public <T extends Comparable<T>, U extends UserDefinedPredicate<T>> Stream<ColumnPath> visit(
      Operators.UserDefined<T, U> userDefined) {
    return only(userDefined.getColumn());
  }

  @Override
  public <T extends Comparable<T>, U extends UserDefinedPredicate<T>> Stream<ColumnPath> visit(
      Operators.LogicalNotUserDefined<T, U> not) {
    return visit(not.getUserDefined());
  }
}

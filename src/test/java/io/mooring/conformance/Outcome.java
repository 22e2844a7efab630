package io.mooring.conformance;

import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkThrowable;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;

/**
 * What a query came to.
 *
 * @param data null when it was not even analysed
 * @param answer schema and rows, or the error
 */
record Outcome(@Nullable Dataset<Row> data, boolean failed, List<String> answer) {
  // Error classes with which some readers of Spark 3.5 name the file of an error and others do not:
  // only the cause is compared.
  private static final Set<String> IN_A_FILE =
      Set.of("_LEGACY_ERROR_TEMP_2063", "_LEGACY_ERROR_TEMP_2064");

  static Outcome of(SparkSession session, Statement statement) {
    return of(
        session,
        () -> session.sql(statement.sql()),
        statement.ordered(),
        statement.asUsersDo() ? Outcome::collected : Outcome::executed);
  }

  /** The outcome of a query whose order of rows does not matter. */
  static Outcome of(SparkSession session, Supplier<Dataset<Row>> query) {
    return of(session, query, false, Outcome::executed);
  }

  private static Outcome of(
      SparkSession session,
      Supplier<Dataset<Row>> query,
      boolean ordered,
      Function<Dataset<Row>, List<String>> run) {
    Dataset<Row> data = null;
    try {
      SparkSession.setActiveSession(session);
      data = query.get();
      List<String> rows = run.apply(data);
      if (!ordered) {
        rows.sort(null);
      }
      rows.add(0, data.schema().json());
      return new Outcome(data, false, rows);
    } catch (Exception e) {
      return new Outcome(data, true, List.of(error(e)));
    } finally {
      SparkSession.clearActiveSession();
    }
  }

  private static List<String> collected(Dataset<Row> data) {
    List<String> rows = new ArrayList<>();
    data.collectAsList().forEach(row -> rows.add(Texts.of(row)));
    return rows;
  }

  /**
   * Runs the plan without Spark's query listeners and without making rows of the result, which take
   * most of the time.
   */
  private static List<String> executed(Dataset<Row> data) {
    // Tasks look for the settings of their query there.
    SparkContext context = data.sparkSession().sparkContext();
    CollectionConverters.asJava(data.sparkSession().conf().getAll())
        .forEach(context::setLocalProperty);
    return RowTexts.of(data);
  }

  /** The kinds of an error and its causes. */
  @SuppressWarnings("deprecation") // the name that all versions of Spark know
  private static String error(Throwable error) {
    String kind = error.getClass().getName();
    if (error instanceof SparkThrowable known) {
      if (IN_A_FILE.contains(String.valueOf(known.getErrorClass())) && error.getCause() != null) {
        return error(error.getCause());
      }
      kind += " " + known.getErrorClass();
    }
    return error.getCause() == null ? kind : kind + " by " + error(error.getCause());
  }

  /**
   * Makes texts of a query's rows where they come to be. A class rather than a closure, which Spark
   * would look through at each query for longer than it takes to run.
   */
  private static final class RowTexts
      extends AbstractFunction2<TaskContext, Iterator<InternalRow>, String[]>
      implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    private final StructType schema;

    private RowTexts(StructType schema) {
      this.schema = schema;
    }

    /** The rows of a query, in their order. */
    static List<String> of(Dataset<Row> data) {
      RDD<InternalRow> rows = data.queryExecution().executedPlan().execute();
      Object texts =
          rows.sparkContext()
              .runJob(rows, new RowTexts(data.schema()), ClassTag$.MODULE$.apply(String[].class));
      return new ArrayList<>(Stream.of((String[][]) texts).flatMap(Stream::of).toList());
    }

    @Override
    public String[] apply(TaskContext task, Iterator<InternalRow> rows) {
      List<String> texts = new ArrayList<>();
      while (rows.hasNext()) {
        texts.add(Texts.of(rows.next(), schema));
      }
      return texts.toArray(String[]::new);
    }
  }
}

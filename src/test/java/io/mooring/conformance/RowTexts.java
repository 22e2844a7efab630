package io.mooring.conformance;

import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;

/**
 * Makes texts of a query's rows where they come to be. A class rather than a closure, which Spark
 * would look through at each query for longer than it takes to run.
 */
final class RowTexts extends AbstractFunction2<TaskContext, Iterator<InternalRow>, String[]>
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

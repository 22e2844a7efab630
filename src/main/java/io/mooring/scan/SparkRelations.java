package io.mooring.scan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.DataSource;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Lets Spark list files, find partitions and infer schemas, so that they are Spark's own. */
final class SparkRelations {
  private SparkRelations() {}

  /**
   * Resolves paths to a Parquet relation; errors are Spark's (a missing path, no schema to be
   * found).
   *
   * @param schema what the user gave, or null to infer it
   */
  static HadoopFsRelation resolve(
      SparkSession session,
      List<String> paths,
      @Nullable StructType schema,
      Map<String, String> options) {
    Map<String, String> rest = new HashMap<>(options);
    rest.remove("path");
    rest.remove("paths");
    DataSource source =
        new DataSource(
            session,
            ParquetFileFormat.class.getName(),
            seq(paths),
            Option.apply(schema),
            seq(List.of()),
            Option.empty(),
            scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(rest)),
            Option.empty());
    return (HadoopFsRelation) source.resolveRelation(true, false);
  }

  /** An immutable Scala list of the same elements. */
  static <T> Seq<T> seq(List<T> list) {
    return CollectionConverters.asScala(list).toList();
  }

  /** An empty Scala list. */
  @SuppressWarnings("unchecked")
  static <T> Seq<T> none() {
    return (Seq<T>) Nil$.MODULE$;
  }
}

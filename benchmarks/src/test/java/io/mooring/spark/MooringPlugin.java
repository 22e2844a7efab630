package io.mooring.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.sources.RelationProvider;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Stands in for the plugin and its data source in tests: Spark's reader, which loses rows when the
 * setting {@code fake.keep} is a condition that not all of them meet. Each JVM writes its process
 * id into the file {@code fake.starts}; the one that is number {@code fake.lost} there ends itself.
 */
public final class MooringPlugin implements SparkPlugin, RelationProvider, DataSourceRegister {

  @Override
  public DriverPlugin driverPlugin() {
    return new DriverPlugin() {};
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new ExecutorPlugin() {};
  }

  @Override
  public String shortName() {
    return "mooring";
  }

  @Override
  public BaseRelation createRelation(
      SQLContext context, scala.collection.immutable.Map<String, String> parameters) {
    start(context.sparkContext().conf());
    Map<String, String> options = CollectionConverters.asJava(parameters);
    Dataset<Row> rows =
        context
            .sparkSession()
            .read()
            .parquet(options.get("path"))
            .where(context.sparkContext().conf().get("fake.keep", "true"));
    return new Rows(context, rows);
  }

  private static void start(SparkConf conf) {
    if (!conf.contains("fake.starts")) {
      return;
    }
    Path file = Path.of(conf.get("fake.starts"));
    String line = ProcessHandle.current().pid() + "\n";
    try {
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      if (Files.readAllLines(file).size() == conf.getInt("fake.lost", 0)) {
        Runtime.getRuntime().halt(7);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Rows extends BaseRelation implements TableScan {

    private final SQLContext context;
    private final transient Dataset<Row> rows;

    Rows(SQLContext context, Dataset<Row> rows) {
      this.context = context;
      this.rows = rows;
    }

    @Override
    public SQLContext sqlContext() {
      return context;
    }

    @Override
    public StructType schema() {
      return rows.schema();
    }

    @Override
    public RDD<Row> buildScan() {
      return rows.rdd();
    }
  }
}

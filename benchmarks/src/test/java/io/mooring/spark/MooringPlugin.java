package io.mooring.spark;

import java.util.Map;
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
 * setting {@code fake.keep} is a condition that not all of them meet.
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
    Map<String, String> options = CollectionConverters.asJava(parameters);
    Dataset<Row> rows =
        context
            .sparkSession()
            .read()
            .parquet(options.get("path"))
            .where(context.sparkContext().conf().get("fake.keep", "true"));
    return new Rows(context, rows);
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

package io.mooring.benchmarks.worker.jvm;

import io.mooring.benchmarks.data.StoreSales;
import io.mooring.benchmarks.process.LineServer;
import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.Request;
import io.mooring.benchmarks.worker.WorkerProcess;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.types.StructField;

/**
 * A JVM with one Spark session that does what the harness asks, one request at a time. It ends when
 * its standard input does, so it never outlives the harness.
 */
public final class Worker {

  private SparkSession spark;
  private ScanMetrics metrics;
  private PipelineService pipeline;

  private Worker() {}

  /** Serves requests until standard input ends. */
  public static void main(String[] args) throws IOException {
    Worker worker = new Worker();
    LineServer.serve(Map::of, line -> worker.serve(WorkerProcess.request(line)));
    worker.stop();
  }

  private Reply serve(Request request) throws Exception {
    if (request instanceof Request.Start start) {
      return start(start);
    } else if (request instanceof Request.ReplacePool) {
      CudfPinnedPool.install();
    } else if (request instanceof Request.Open open) {
      return open(open);
    } else if (request instanceof Request.Query query) {
      return query(query);
    } else if (request instanceof Request.Generate generate) {
      StoreSales.write(spark, generate);
    } else if (request instanceof Request.OpenFiles open) {
      pipeline = pipeline == null ? new PipelineService() : pipeline;
      return pipeline.open(open);
    } else if (request instanceof Request.RunStep step) {
      return run(step);
    } else if (request instanceof Request.StartTrace trace) {
      AllocationTrace.start(Path.of(trace.library()));
    } else if (request instanceof Request.WriteTrace trace) {
      AllocationTrace.write(Path.of(trace.file()));
    }
    return new Reply.Done();
  }

  private Reply start(Request.Start start) {
    SparkSession.Builder builder =
        SparkSession.builder().appName("mooring-benchmarks").master("local[" + start.tasks() + "]");
    start.conf().forEach(builder::config);
    spark = builder.getOrCreate();
    metrics = new ScanMetrics();
    spark.listenerManager().register(metrics);
    return new Reply.Done();
  }

  private Reply open(Request.Open open) {
    String[] paths = open.paths().toArray(new String[0]);
    Dataset<Row> files = spark.read().format(open.format()).load(paths);
    files.createOrReplaceTempView(open.view());
    Map<String, String> types = new LinkedHashMap<>();
    for (StructField field : files.schema().fields()) {
      types.put(field.name(), field.dataType().simpleString());
    }
    return new Reply.Columns(types);
  }

  private Reply query(Request.Query query) throws Exception {
    metrics.forget();
    HighWaterMarks.reset();
    ProcessorTime processor = ProcessorTime.start();
    long start = System.nanoTime();
    Executed[] copies = new Executed[query.copies()];
    if (query.copies() == 1) {
      copies[0] = run(query);
    } else {
      ThreadTeam.work(query.copies(), copy -> copies[copy] = run(query));
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Map<String, Long> processed = processor.metrics();
    Map<String, Long> counted =
        metrics.of(Stream.of(copies).map(Executed::query).toList(), query.noop());
    String engine = ScanMetrics.engine(counted);
    counted.putAll(processed);
    counted.putAll(HighWaterMarks.marks());
    return new Reply.Result(
        seconds,
        engine,
        RowValues.of(Stream.of(copies).map(Executed::rows).toArray(Row[][]::new)),
        counted);
  }

  /** A query that has run, and the rows that it returned. */
  private record Executed(QueryExecution query, Row[] rows) {}

  private Executed run(Request.Query query) {
    Dataset<Row> result = spark.sql(query.sql());
    Row[] rows = new Row[0];
    if (query.noop()) {
      result.write().format("noop").mode("overwrite").save();
    } else {
      rows = (Row[]) result.collect();
    }
    return new Executed(result.queryExecution(), rows);
  }

  private Reply run(Request.RunStep step) throws Exception {
    HighWaterMarks.reset();
    Reply.Result result = pipeline.run(step);
    Map<String, Long> counted = new TreeMap<>(result.metrics());
    counted.putAll(HighWaterMarks.marks());
    return new Reply.Result(result.seconds(), result.engine(), result.rows(), counted);
  }

  private void stop() {
    if (spark != null) {
      spark.stop();
    }
  }

  /** Rows as JSON can carry them without losing a bit. */
  private static final class RowValues {

    private RowValues() {}

    static List<List<Object>> of(Row[][] copies) {
      List<List<Object>> values = new ArrayList<>();
      for (Row row : Stream.of(copies).flatMap(Stream::of).toList()) {
        List<Object> cells = new ArrayList<>(row.size());
        for (int i = 0; i < row.size(); i++) {
          cells.add(value(row.get(i)));
        }
        values.add(cells);
      }
      return values;
    }

    private static Object value(Object cell) {
      if (cell == null || cell instanceof Boolean) {
        return cell;
      } else if (cell instanceof Float || cell instanceof Double) {
        return ((Number) cell).doubleValue();
      } else if (cell instanceof BigDecimal decimal) {
        return decimal.toPlainString();
      } else if (cell instanceof Number number) {
        return number.longValue();
      } else if (cell instanceof byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
      }
      return cell.toString();
    }
  }
}

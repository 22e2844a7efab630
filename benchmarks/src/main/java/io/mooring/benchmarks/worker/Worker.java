package io.mooring.benchmarks.worker;

import io.mooring.benchmarks.pipeline.PipelineService;
import io.mooring.benchmarks.scan.StoreSales;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
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

  /** Serves requests until told to stop. */
  public static void main(String[] args) throws IOException {
    PrintStream replies = System.out;
    System.setOut(System.err);
    Worker worker = new Worker();
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Request request = Wire.request(line);
      replies.println(Wire.line(worker.answer(request)));
      replies.flush();
      if (request instanceof Request.Stop) {
        break;
      }
    }
    worker.stop();
  }

  @SuppressWarnings("CatchAndPrintStackTrace") // standard error is this process's log
  private Reply answer(Request request) {
    try {
      return serve(request);
    } catch (Exception | LinkageError | OutOfMemoryError e) {
      e.printStackTrace();
      return new Reply.Failed(cause(e).toString().lines().findFirst().orElse("unknown"));
    }
  }

  /** What was thrown first: Spark wraps it several times. */
  private static Throwable cause(Throwable e) {
    return e.getCause() == null || e.getCause() == e ? e : cause(e.getCause());
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

  private Reply query(Request.Query query) throws InterruptedException {
    metrics.forget();
    HighWater.reset();
    ProcessorTime processor = ProcessorTime.start();
    long start = System.nanoTime();
    Dataset<Row> result = spark.sql(query.sql());
    Row[] rows = new Row[0];
    if (query.noop()) {
      result.write().format("noop").mode("overwrite").save();
    } else {
      rows = (Row[]) result.collect();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Map<String, Long> processed = processor.metrics();
    Map<String, Long> counted = new TreeMap<>(metrics.ofLastQuery());
    String engine = ScanMetrics.engine(counted);
    counted.putAll(processed);
    counted.putAll(HighWater.marks());
    return new Reply.Result(seconds, engine, Values.of(rows), counted);
  }

  private Reply run(Request.RunStep step) throws Exception {
    HighWater.reset();
    Reply.Result result = pipeline.run(step);
    Map<String, Long> counted = new TreeMap<>(result.metrics());
    counted.putAll(HighWater.marks());
    return new Reply.Result(result.seconds(), result.engine(), result.rows(), counted);
  }

  private void stop() {
    if (spark != null) {
      spark.stop();
    }
  }
}

package io.mooring.benchmarks.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;

/** A request to a worker: one JSON object on one line of its standard input. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "do")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Request.Start.class, name = "start"),
  @JsonSubTypes.Type(value = Request.ReplacePool.class, name = "replacePool"),
  @JsonSubTypes.Type(value = Request.Open.class, name = "open"),
  @JsonSubTypes.Type(value = Request.Query.class, name = "query"),
  @JsonSubTypes.Type(value = Request.Generate.class, name = "generate"),
  @JsonSubTypes.Type(value = Request.StartTrace.class, name = "startTrace"),
  @JsonSubTypes.Type(value = Request.WriteTrace.class, name = "writeTrace"),
  @JsonSubTypes.Type(value = Request.OpenFiles.class, name = "openFiles"),
  @JsonSubTypes.Type(value = Request.RunStep.class, name = "runStep")
})
public sealed interface Request {

  /** Start Spark with this many task slots and these settings. */
  record Start(int tasks, Map<String, String> conf) implements Request {}

  /** Before the start: have Mooring's buffers come from cudf's own pool for Java. */
  record ReplacePool() implements Request {}

  /** Make the files a view; the answer names its columns. */
  record Open(String view, String format, List<String> paths) implements Request {}

  /**
   * Run a query: collect its rows, or send them into Spark's noop sink.
   *
   * @param copies how often, all at the same time
   */
  record Query(String sql, boolean noop, int copies) implements Request {
    /** Run a query once. */
    public Query(String sql, boolean noop) {
      this(sql, noop, 1);
    }
  }

  /** Write the store_sales data set. */
  record Generate(String folder, long rows, long seed, int rowsPerFile, String codec)
      implements Request {}

  /** Record the pool's allocations from now on; the file of the library that does. */
  record StartTrace(String library) implements Request {}

  /** End the recording and write it to a file. */
  record WriteTrace(String file) implements Request {}

  /** Start Mooring without Spark, and plan these local files. */
  record OpenFiles(List<String> paths, Map<String, String> conf) implements Request {}

  /** Run a step of {@code pipeline} on the files opened last; {@code repeat} times over. */
  record RunStep(String step, int tasks, int repeat) implements Request {}
}

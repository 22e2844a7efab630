package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.data.PageCache;
import io.mooring.benchmarks.process.ProcessException;
import io.mooring.benchmarks.query.ScanQuery;
import io.mooring.benchmarks.report.Run;
import io.mooring.benchmarks.worker.Reply;
import io.mooring.benchmarks.worker.Request;
import io.mooring.benchmarks.worker.WorkerProcess;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One arm at one task count, in its own JVM: runs queries, records rows, compares results. */
final class ArmWorker implements AutoCloseable {

  /** Metric: how much of the files was in the page cache before the run. */
  private static final String CACHED = "cachedPercent";

  private final ScanSession session;
  private final Arm arm;
  private final int tasks;
  private final int start;
  private final WorkerProcess process;
  private boolean lost;

  private ArmWorker(ScanSession session, Arm arm, int tasks, int start, WorkerProcess process) {
    this.session = session;
    this.arm = arm;
    this.tasks = tasks;
    this.start = start;
    this.process = process;
  }

  /** Starts the JVM and Spark in it. {@code start}: from 1, which JVM of this arm it is. */
  static ArmWorker open(ScanSession session, Arm arm, int tasks, int start) {
    ScanPlan plan = session.plan();
    WorkerProcess process = session.launch(arm, tasks);
    ArmWorker worker = new ArmWorker(session, arm, tasks, start, process);
    worker.guarded(
        "start",
        () -> {
          if (arm.hasCudfsPool()) {
            process.ask(new Request.ReplacePool(), Reply.Done.class);
          }
          process.start(tasks, plan.confOf(arm));
          worker.openTables();
        });
    return worker;
  }

  /** Compares the results of queries that return no rows by themselves. */
  void verify() {
    for (ScanQuery query : session.plan().queries()) {
      if (query.noop()) {
        guarded(query.name(), () -> compare(query, ask(query.verification(), false), 1));
      }
    }
  }

  /** Runs a query once and records the row. */
  void run(ScanQuery query, int round, boolean warmUp) {
    if (lost) {
      return;
    }
    int cached = session.cache().prepare();
    if (session.store().isPresent() && session.plan().cold()) {
      guarded(query.name(), this::openTables);
    }
    noteCache(cached);
    String startedAt = Instant.now().toString();
    guarded(
        query.name(),
        () -> {
          storeTraffic();
          int copies = session.plan().copies();
          Reply.Result result = ask(query.sql(), query.noop(), copies);
          Map<String, Long> metrics = new TreeMap<>(result.metrics());
          metrics.put(CACHED, (long) cached);
          metrics.putAll(storeTraffic());
          session.recording().add(row(query, round, warmUp, startedAt, result, metrics));
          if (!query.noop()) {
            compare(query, result, copies);
          }
        });
  }

  private void openTables() {
    ExpectedResults.open(process, session.plan().tables(), session.locations(), arm);
  }

  /** The requests to the store since the last call; nothing where there is none. */
  private Map<String, Long> storeTraffic() {
    return session.store().map(store -> store.traffic().take()).orElse(Map.of());
  }

  boolean isOf(Arm other) {
    return arm.equals(other);
  }

  /** Runs every query once more and writes down what the pool hands out meanwhile. */
  void trace(TraceFile out) {
    guarded(
        "trace",
        () -> {
          String recorder = session.recorder().orElseThrow().toString();
          process.ask(new Request.StartTrace(recorder), Reply.Done.class);
          session.plan().queries().forEach(query -> ask(query.sql(), query.noop()));
          process.ask(new Request.WriteTrace(out.plain().toString()), Reply.Done.class);
          out.finish();
        });
  }

  private Reply.Result ask(String sql, boolean noop) {
    return ask(sql, noop, 1);
  }

  private Reply.Result ask(String sql, boolean noop, int copies) {
    return process.ask(new Request.Query(sql, noop, copies), Reply.Result.class);
  }

  private Run row(
      ScanQuery query,
      int round,
      boolean warmUp,
      String startedAt,
      Reply.Result result,
      Map<String, Long> metrics) {
    return new Run(
        query.name(),
        arm.name(),
        tasks,
        start,
        round,
        warmUp,
        result.engine(),
        result.seconds(),
        session.plan().copies() * session.plan().tables().bytesUnder(query.sql()),
        0,
        startedAt,
        metrics);
  }

  private void noteCache(int cached) {
    if (session.cache().cold() && cached > PageCache.COLD_AT_MOST) {
      session
          .recording()
          .note("The page cache was not cold: not everything of the files left it, see " + CACHED);
    }
  }

  /** Compares each copy; one with too few rows shifts the others, which then differ as well. */
  private void compare(ScanQuery query, Reply.Result result, int copies) {
    List<List<Object>> rows = result.rows();
    int each = rows.size() / copies;
    for (int copy = 0; copy < copies; copy++) {
      int end = copy == copies - 1 ? rows.size() : (copy + 1) * each;
      compare(query, new ResultRows(rows.subList(copy * each, end)));
    }
  }

  private void compare(ScanQuery query, ResultRows rows) {
    ResultRows expected = session.reference().expected().get(query.name());
    expected
        .difference(rows, query.tolerance())
        .ifPresent(
            d ->
                session
                    .recording()
                    .problem(
                        "query %s, arm %s, %d tasks: expected %s, got %s"
                            .formatted(query.name(), arm.name(), tasks, d.expected(), d.got())));
  }

  private void guarded(String what, Runnable step) {
    if (lost) {
      return;
    }
    try {
      step.run();
    } catch (ProcessException.Failed e) {
      lost = what.equals("start");
      problem(what, e.reason());
    } catch (ProcessException.Lost e) {
      lost = true;
      session.waitIfStopping();
      problem(what, e.getMessage());
    }
  }

  private void problem(String what, String why) {
    session.recording().problem("%s, arm %s, %d tasks: %s".formatted(what, arm.name(), tasks, why));
  }

  @Override
  public void close() {
    process.close();
  }
}

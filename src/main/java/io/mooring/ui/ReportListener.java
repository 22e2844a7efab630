package io.mooring.ui;

import io.mooring.metrics.FileFallbacks.FileFallback;
import io.mooring.report.ApplicationReport;
import io.mooring.report.ExecutorReport;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.util.kvstore.KVStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts reports into the store of a live UI, or of a history server that replays an event log. */
final class ReportListener extends SparkListener {
  private static final Logger LOG = LoggerFactory.getLogger(ReportListener.class);
  // The number of queries that Spark's own SQL tab keeps.
  private static final int MOST_QUERIES = 1000;
  // The number of dead executors that Spark's own tab keeps.
  private static final int MOST_REMOVED = 100;

  private final ReportStore store;
  private final Deque<String> removed = new ArrayDeque<>();

  ReportListener(KVStore store) {
    this.store = new ReportStore(store);
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    try {
      if (event instanceof ExecutorReport report) {
        add(report);
      } else if (event instanceof ApplicationReport report) {
        store.write(report);
      }
    } catch (RuntimeException e) {
      // The listener shares its thread with Spark's own UI.
      LOG.debug("A report of Mooring could not be kept", e);
    }
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    removed.add(event.executorId());
    if (removed.size() > MOST_REMOVED) {
      forget(removed.remove());
    }
  }

  private void forget(String executor) {
    try {
      if (store.find(ExecutorHistory.class, executor).isPresent()) {
        store.delete(ExecutorHistory.class, executor);
      }
    } catch (RuntimeException e) {
      LOG.debug("The reports of an executor could not be deleted", e);
    }
  }

  private void add(ExecutorReport report) {
    store.write(
        store
            .find(ExecutorHistory.class, report.executor())
            .map(before -> before.plus(report))
            .orElseGet(() -> ExecutorHistory.of(report)));
    report.files().forEach(this::add);
  }

  private void add(FileFallback files) {
    long execution = files.execution();
    QueryFallbacks before =
        store.find(QueryFallbacks.class, execution).orElseGet(() -> QueryFallbacks.none(execution));
    store.write(before.plus(files));
    if (store.count(QueryFallbacks.class) > MOST_QUERIES) {
      store.delete(QueryFallbacks.class, store.all(QueryFallbacks.class).get(0).execution());
    }
  }
}

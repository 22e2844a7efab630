package io.mooring.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.cache.CacheStats;
import io.mooring.memory.PinnedPool;
import io.mooring.metrics.FileFallbacks.FileFallback;
import io.mooring.report.ApplicationReport;
import io.mooring.report.ExecutorReport;
import io.mooring.report.PoolSnapshot;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.util.JsonProtocol;
import org.apache.spark.util.kvstore.InMemoryStore;
import org.junit.jupiter.api.Test;
import scala.reflect.ClassTag;

class ReportListenerTest {
  private final InMemoryStore store = new InMemoryStore();
  private final ReportListener listener = new ReportListener(store);

  private static ExecutorReport report(String executor, long time, FileFallback... files) {
    PoolSnapshot pool = PoolSnapshot.of(PinnedPool.stats(), CacheStats.NONE);
    return new ExecutorReport(executor, time, "", "no GPU here", 0, 5, pool, List.of(files));
  }

  @Test
  void eventsComeBackFromTheEventLogAsTheyWere() {
    ExecutorReport executor = report("1", 2, new FileFallback(3, "the \"codec\"", "file:/a", 4));
    ApplicationReport application =
        new ApplicationReport("0.1", Map.of("spark.mooring.enabled", "true"), List.of("a warning"));
    assertThat(JsonProtocol.sparkEventFromJson(JsonProtocol.sparkEventToJsonString(executor)))
        .isEqualTo(executor);
    assertThat(JsonProtocol.sparkEventFromJson(JsonProtocol.sparkEventToJsonString(application)))
        .isEqualTo(application);
  }

  @Test
  void reportsTravelFromExecutorsToTheDriver() {
    ExecutorReport sent = report("1", 2, new FileFallback(3, "the codec", "file:/a", 4));
    var serializer = new JavaSerializer(new SparkConf(false)).newInstance();
    ClassTag<ExecutorReport> type = ClassTag.apply(ExecutorReport.class);
    ExecutorReport received = serializer.deserialize(serializer.serialize(sent, type), type);
    assertThat(received).isEqualTo(sent);
  }

  @Test
  void anExecutorKeepsItsLastReportAndABoundedHistory() throws Exception {
    for (int time = 0; time < 5000; time++) {
      listener.onOtherEvent(report("1", time));
    }
    ExecutorHistory kept = store.read(ExecutorHistory.class, "1");
    assertThat(kept.last().time()).isEqualTo(4999);
    assertThat(kept.usage()).hasSizeBetween(200, 401);
    assertThat(kept.usage().get(0).time()).isZero();
    assertThat(kept.usage().get(kept.usage().size() - 1).time()).isEqualTo(4999);
    assertThat(kept.usage()).isSortedAccordingTo((a, b) -> Long.compare(a.time(), b.time()));
  }

  @Test
  void reasonsOfOneQueryAreAddedUpOverExecutors() throws Exception {
    listener.onOtherEvent(report("1", 0, new FileFallback(7, "a", "x", 2)));
    listener.onOtherEvent(report("2", 0, new FileFallback(7, "a", "y", 3)));
    listener.onOtherEvent(report("2", 0, new FileFallback(7, "b", "z", 1)));
    assertThat(store.read(QueryFallbacks.class, 7L).reasons())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("a", new FileFallback(7, "a", "x", 5), "b", new FileFallback(7, "b", "z", 1)));
  }

  @Test
  void theExecutorsThatWereRemovedFirstAreForgotten() {
    for (int executor = 0; executor < 105; executor++) {
      listener.onOtherEvent(report("" + executor, 0));
      listener.onExecutorRemoved(new SparkListenerExecutorRemoved(0, "" + executor, "idle"));
    }
    listener.onOtherEvent(report("105", 0));
    assertThat(new ReportStore(store).count(ExecutorHistory.class)).isEqualTo(101);
    assertThat(new ReportStore(store).find(ExecutorHistory.class, "4")).isEmpty();
    assertThat(new ReportStore(store).find(ExecutorHistory.class, "5")).isPresent();
  }

  @Test
  void theOldestQueriesAreForgotten() throws Exception {
    for (int query = 0; query < 1010; query++) {
      listener.onOtherEvent(report("1", 0, new FileFallback(query, "a", "x", 1)));
    }
    assertThat(store.count(QueryFallbacks.class)).isEqualTo(1000);
    assertThat(new ReportStore(store).find(QueryFallbacks.class, 9L)).isEmpty();
    assertThat(new ReportStore(store).find(QueryFallbacks.class, 10L)).isPresent();
  }
}

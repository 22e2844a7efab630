package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many threads read footers of a store. */
class StoreThreadsTest {
  @ParameterizedTest
  @CsvSource({"s3a, 96, 32", "s3a, 500, 128", "s3a, 256, 85", "s3a, 2, 8", "gs, 96, 128"})
  void threads_ofAStore_leaveConnectionsForData(String scheme, int connections, int threads) {
    Configuration conf = new Configuration(false);
    conf.setInt("fs.s3a.connection.maximum", connections);
    assertThat(StoreThreads.threads(scheme, conf)).isEqualTo(threads);
  }

  @ParameterizedTest
  @CsvSource({"s3a", "abfs"})
  void threads_withoutASetting_areAll(String scheme) {
    assertThat(StoreThreads.threads(scheme, new Configuration(false))).isEqualTo(128);
  }

  /** Spark's name of the file that a task reads is such a value, which the threads change. */
  @Test
  void threads_doNotShareWhatTheFirstTaskHandsOn() throws Exception {
    InheritableThreadLocal<String> ofTask = new InheritableThreadLocal<>();
    ofTask.set("a file");
    FutureTask<Boolean> inherits = new FutureTask<>(() -> ofTask.get() != null);
    StoreThreads.execute(inherits);
    assertThat(inherits.get(1, TimeUnit.MINUTES)).isFalse();
  }
}

package io.mooring.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.testing.Sessions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.SerializableConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HadoopConfBroadcastsTest {
  private static final String KEY = "fs.test.key";
  private static final int MANY = 100;

  private SparkSession spark;

  @BeforeEach
  void start() {
    spark = Sessions.withPlugin(2, Map.of("spark.mooring.pinnedPool.size", "0"));
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  private Broadcast<SerializableConfiguration> of(SparkSession session) {
    Configuration conf = session.sessionState().newHadoopConf();
    return HadoopConfBroadcasts.of(session.sparkContext(), conf);
  }

  private String inTask(Broadcast<SerializableConfiguration> conf) {
    return JavaSparkContext.fromSparkContext(spark.sparkContext())
        .parallelize(List.of(1), 1)
        .map(it -> String.valueOf(conf.value().value().get(KEY)))
        .first();
  }

  @Test
  void equalConfigurationsShareABroadcast() {
    assertThat(of(spark).id()).isEqualTo(of(spark).id()).isEqualTo(of(spark.newSession()).id());
  }

  @Test
  void aTaskSeesTheSettingsOfItsSession() {
    SparkSession other = spark.newSession();
    spark.conf().set(KEY, "one");
    other.conf().set(KEY, "two");
    for (int turn = 0; turn < 2; turn++) {
      assertThat(inTask(of(spark))).isEqualTo("one");
      assertThat(inTask(of(other))).isEqualTo("two");
    }
    spark.conf().unset(KEY);
    assertThat(inTask(of(spark))).isEqualTo("null");
  }

  @Test
  void thoseOfAStoppedContextAreNotUsed() {
    spark.conf().set(KEY, "before");
    of(spark);
    spark.stop();
    start();
    spark.conf().set(KEY, "before");
    assertThat(inTask(of(spark))).isEqualTo("before");
  }

  @Test
  void theLastOnesAreKeptOnly() {
    Set<Long> ids = new HashSet<>();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < MANY; i++) {
        spark.conf().set(KEY, "value " + i);
        ids.add(of(spark).id());
        assertThat(ids).contains(of(spark).id());
      }
    }
    assertThat(ids).hasSize(2 * MANY);
  }
}

package io.mooring.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class ReplicatedSettingsTest {
  @Test
  void whereNoGpuIsCertainTheHeapIsTheBound() {
    SparkConf conf = new SparkConf(false);
    assertThat(ReplicatedSettings.mostOnHeap(conf)).isEqualTo((1L << 30) / 10);
    conf.set("spark.executor.memory", "20g");
    assertThat(ReplicatedSettings.mostOnHeap(conf)).isEqualTo(2L << 30);
  }
}

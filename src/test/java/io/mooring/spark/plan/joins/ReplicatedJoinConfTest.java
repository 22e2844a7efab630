package io.mooring.spark.plan.joins;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class ReplicatedJoinConfTest {
  @Test
  void whereNoGpuIsCertainTheHeapIsTheBound() {
    SparkConf conf = new SparkConf(false);
    assertThat(ReplicatedJoinConf.mostOnHeap(conf)).isEqualTo((1L << 30) / 10);
    conf.set("spark.executor.memory", "20g");
    assertThat(ReplicatedJoinConf.mostOnHeap(conf)).isEqualTo(2L << 30);
  }
}

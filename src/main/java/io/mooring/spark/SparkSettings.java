package io.mooring.spark;

import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/** A SparkConf as a plain map. */
final class SparkSettings {
  private SparkSettings() {}

  static Map<String, String> of(SparkConf conf) {
    Map<String, String> all = new HashMap<>();
    for (Tuple2<String, String> entry : conf.getAll()) {
      all.put(entry._1(), entry._2());
    }
    return all;
  }
}

package io.mooring.stage;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;

/** The numbers of threads with which one task decodes. */
final class TaskThreads {
  // More threads wait for copies out of the page cache.
  private static final int MOST_BESIDE_OTHERS = 8;

  private TaskThreads() {}

  /** The number for a task that some tasks wait for while others run. */
  static int besideOtherTasks() {
    return Math.min(MOST_BESIDE_OTHERS, Runtime.getRuntime().availableProcessors() / 2);
  }

  /** For the only task of its job: as many as tasks could run at a time. */
  static int ofAllTasks() {
    int processors = Runtime.getRuntime().availableProcessors();
    SparkConf conf = SparkEnv.get().conf();
    int cores = conf.getInt("spark.executor.cores", processors);
    return Math.max(1, Math.min(processors, cores) / conf.getInt("spark.task.cpus", 1));
  }
}

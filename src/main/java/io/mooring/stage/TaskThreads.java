package io.mooring.stage;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;

/** The numbers of threads with which one task decodes. */
final class TaskThreads {
  // More threads wait for each other in calls of the CUDA driver, and for copies out of the page
  // cache: benchmarks/results/2026-11-27-decoding-threads.
  private static final int MOST = 8;

  private TaskThreads() {}

  /** The number for a task that some tasks wait for while others run. */
  static int besideOtherTasks() {
    return Math.min(MOST, Runtime.getRuntime().availableProcessors() / 2);
  }

  /** The number on each of some GPUs for the only task of its job. */
  static int ofOnlyTask(int gpus) {
    return Math.max(1, Math.min(MOST, concurrentTasks() / gpus));
  }

  /** How many tasks this executor runs at a time. */
  static int concurrentTasks() {
    int processors = Runtime.getRuntime().availableProcessors();
    SparkConf conf = SparkEnv.get().conf();
    int cores = conf.getInt("spark.executor.cores", processors);
    return Math.max(1, Math.min(processors, cores) / conf.getInt("spark.task.cpus", 1));
  }
}

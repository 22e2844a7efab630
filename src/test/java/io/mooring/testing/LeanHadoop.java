package io.mooring.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;

/** Makes Hadoop's configuration small, which Spark sends along with every scan. */
public final class LeanHadoop {
  private LeanHadoop() {}

  /**
   * Takes out what Hadoop's own files of defaults say: its code knows those values, too.
   *
   * @param unused a folder that is not there yet
   */
  public static void forgetDefaults(SparkSession spark, Path unused) {
    // Classes that are first needed to write and read add such files, which brings all back.
    spark.range(1).write().parquet(unused.toString());
    spark.read().parquet(unused.toString()).collectAsList();
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    List<String> names = new ArrayList<>();
    hadoop.forEach(entry -> names.add(entry.getKey()));
    names.stream().filter(name -> isDefault(hadoop, name)).forEach(hadoop::unset);
  }

  private static boolean isDefault(Configuration hadoop, String name) {
    String[] sources = hadoop.getPropertySources(name);
    return sources != null && sources[sources.length - 1].endsWith("-default.xml");
  }
}

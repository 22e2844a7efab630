package io.mooring.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.spark.sql.SparkSession;

/**
 * Makes Hadoop's configuration small, which Spark copies for every query and sends along with every
 * scan: with all of its defaults that takes much of the time of queries over small tables.
 */
final class LeanHadoop {
  private LeanHadoop() {}

  /** Takes out what Hadoop's own files of defaults say: its code knows those values, too. */
  static void forgetDefaults(SparkSession spark) {
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    addAllDefaults();
    List<String> names = new ArrayList<>();
    hadoop.forEach(entry -> names.add(entry.getKey()));
    names.stream().filter(name -> isDefault(hadoop, name)).forEach(hadoop::unset);
  }

  /**
   * Loads the classes that add files of defaults when they are loaded: later, they would bring all
   * defaults back.
   */
  private static void addAllDefaults() {
    try {
      FileSystem.getLocal(new JobConf());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * True for a key whose value comes from a file of defaults. False for {@code fs.} and {@code
   * hadoop.} keys: only these files name the classes and folders of file systems.
   */
  private static boolean isDefault(Configuration hadoop, String name) {
    String[] sources = hadoop.getPropertySources(name);
    return !name.startsWith("fs.")
        && !name.startsWith("hadoop.")
        && sources != null
        && sources[sources.length - 1].endsWith("-default.xml");
  }
}

package io.mooring.stores;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** A store of files that runs in this process until it is closed. */
public interface TestStore extends AutoCloseable {
  /** Hadoop's settings of a client of the store. */
  Map<String, String> settings();

  /** The same settings for a Spark session, which may be added to. */
  default Map<String, String> sparkSettings() {
    Map<String, String> settings = new HashMap<>();
    settings().forEach((key, value) -> settings.put("spark.hadoop." + key, value));
    return settings;
  }

  /** The address that addresses of files begin with. */
  String address();

  /** Writes a file, in the place of one that has its name; gives its address. */
  org.apache.hadoop.fs.Path put(String name, byte[] bytes) throws IOException;

  /** Copies the Parquet files of a folder; gives the address of the copy. */
  default String put(Path folder, String name) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(it -> it.toString().endsWith(".parquet")).toList()) {
        put(name + "/" + folder.relativize(file), Files.readAllBytes(file));
      }
    }
    return address() + "/" + name;
  }

  /** The client's settings on top of Hadoop's defaults. */
  default Configuration configuration() {
    Configuration conf = new Configuration();
    settings().forEach(conf::set);
    return conf;
  }
}

package io.mooring.parquet.source;

import io.mooring.testing.SchemeFileSystem;
import java.io.InputStream;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/** Local files whose streams can be read in the one way that the scheme names. */
public final class OneWayFileSystem extends SchemeFileSystem {
  static final List<String> SCHEMES = List.of("arrays", "buffers", "positions", "vectors");

  static Configuration configuration() {
    Configuration conf = new Configuration();
    for (String scheme : SCHEMES) {
      conf.setClass(
          "fs." + scheme + ".impl", OneWayFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
    }
    return conf;
  }

  @Override
  protected InputStream wrapped(Path path, FSDataInputStream local) {
    return switch (getUri().getScheme()) {
      case "arrays" -> new OneWayStreams.Arrays(local);
      case "buffers" -> new OneWayStreams.Buffers(local);
      case "positions" -> new OneWayStreams.Positions(local);
      default -> local;
    };
  }
}

package io.mooring.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.jspecify.annotations.Nullable;

/** Local files under another scheme, with streams of another kind. */
public abstract class SchemeFileSystem extends RawLocalFileSystem {
  private @Nullable URI uri;

  /** The stream that readers get for a local file's own. */
  protected abstract InputStream wrapped(Path path, FSDataInputStream local) throws IOException;

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    uri = URI.create(name.getScheme() + ":///");
    super.initialize(uri, conf);
  }

  @Override
  public final URI getUri() {
    // The constructor of the class above asks, too.
    return uri == null ? super.getUri() : uri;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return new FSDataInputStream(wrapped(path, super.open(path, bufferSize)));
  }
}

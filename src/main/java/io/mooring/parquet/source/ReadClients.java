package io.mooring.parquet.source;

import java.io.IOException;
import java.net.URI;
import java.util.Iterator;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The file systems through which files are read. They are those that Spark uses, except for S3A
 * with analytics streams, the default of Hadoop 3.5: such a stream serves one read at a time,
 * requests a file's state before its first byte, and does not retry a broken read. For these,
 * another client of the same store is used, with the same settings but classic streams.
 * Thread-safe.
 */
final class ReadClients {
  private static final String ANALYTICS = "fs.s3a.input.stream.type.analytics";
  private static final String STREAM_TYPE = "fs.s3a.%sinput.stream.type";
  private static final String UNCACHED = "fs.s3a.impl.disable.cache";

  // Hadoop keeps the clients themselves, and closes the two of one user together.
  private static final Map<FileSystem, Classic> CLASSIC = new WeakHashMap<>();

  private record Classic(FileSystem client, URI store, UserGroupInformation user) {
    boolean isOf(URI itsStore, UserGroupInformation itsUser) {
      return store.equals(itsStore) && user.equals(itsUser);
    }
  }

  private ReadClients() {}

  /** The file system of a file, as the calling thread's user has it. */
  static FileSystem of(Path file, Configuration conf) throws IOException {
    FileSystem sparks = file.getFileSystem(conf);
    // Where Hadoop keeps no clients, there would be one more for each file that is opened.
    boolean stays =
        !sparks.hasPathCapability(file, ANALYTICS) || sparks.getConf().getBoolean(UNCACHED, false);
    return stays ? sparks : withClassicStreams(sparks);
  }

  private static synchronized FileSystem withClassicStreams(FileSystem sparks) throws IOException {
    Classic classic = CLASSIC.get(sparks);
    if (classic == null) {
      URI store = sparks.getUri();
      UserGroupInformation user = UserGroupInformation.getCurrentUser();
      closeEarlier(store, user);
      Configuration conf = new Configuration(sparks.getConf());
      conf.set(STREAM_TYPE.formatted(""), "classic");
      conf.set(STREAM_TYPE.formatted("bucket." + store.getHost() + "."), "classic");
      classic = new Classic(FileSystem.newInstance(store, conf), store, user);
      CLASSIC.put(sparks, classic);
    }
    return classic.client();
  }

  /**
   * Closes the earlier client of a store and user. Hadoop caches one client for each store and
   * user: a new one means that somebody has closed the one before.
   */
  private static void closeEarlier(URI store, UserGroupInformation user) throws IOException {
    Iterator<Classic> all = CLASSIC.values().iterator();
    while (all.hasNext()) {
      Classic earlier = all.next();
      if (earlier.isOf(store, user)) {
        all.remove();
        earlier.client().close();
      }
    }
  }
}

package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mooring.jni.NativeLibrary;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.stores.S3Server;
import io.mooring.stores.StoreFront.Request;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** S3A's kinds of streams: Hadoop 3.5 has another default than the versions before. */
@Tag("stores")
@Timeout(120)
class ReadClientsTest {
  private static final String TYPE = "fs.s3a.input.stream.type";
  private static final String ANALYTICS = TYPE + ".analytics";
  private static final Path PATH = new Path("s3a://" + S3Server.BUCKET + "/file");
  private static final int FROM = 4;
  private static final int LENGTH = 50_000;

  private final byte[] bytes = new byte[1 << 20];
  private S3Server server;
  private Configuration conf;

  @BeforeEach
  void start() throws Exception {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    FileSystem.closeAll();
    server = new S3Server();
    conf = server.configuration();
    new Random(1).nextBytes(bytes);
    server.put("file", bytes);
  }

  @AfterEach
  void stop() throws Exception {
    FileSystem.closeAll();
    server.close();
  }

  @Test
  void analyticsStreams_classicOnesReadTheFile() throws Exception {
    conf.set(TYPE, "analytics");
    assumeTrue(hasAnalytics(PATH.getFileSystem(conf)));
    FileSystem client = ReadClients.of(PATH, conf);
    assertThat(hasAnalytics(client)).isFalse();
    assertThat(client).isSameAs(ReadClients.of(PATH, conf));
    ParquetFile file = ParquetFile.of(client.listStatus(PATH)[0]);
    server.front().takeRequests();
    assertRead(file);
    // Nothing but what was asked for, after the question for the file's state.
    assertThat(server.front().takeRequests())
        .extracting(Request::method, Request::range)
        .hasSize(2)
        .last()
        .extracting(Object::toString)
        .asString()
        .contains("GET", "bytes=" + FROM + "-" + (FROM + LENGTH - 1));
  }

  @Test
  void analyticsStreamsOfOneBucket_classicOnesReadTheFile() throws Exception {
    conf.set("fs.s3a.bucket." + S3Server.BUCKET + ".input.stream.type", "analytics");
    assumeTrue(hasAnalytics(PATH.getFileSystem(conf)));
    assertThat(hasAnalytics(ReadClients.of(PATH, conf))).isFalse();
  }

  @Test
  void aClientThatSomebodyClosed_isReplaced() throws Exception {
    conf.set(TYPE, "analytics");
    FileSystem sparks = PATH.getFileSystem(conf);
    assumeTrue(hasAnalytics(sparks));
    FileSystem client = ReadClients.of(PATH, conf);
    sparks.close();
    assertThat(ReadClients.of(PATH, conf)).isNotSameAs(client);
    assertRead(ParquetFile.of(ReadClients.of(PATH, conf).listStatus(PATH)[0]));
  }

  @Test
  void classicStreamsAndClientsThatHadoopDoesNotKeep_areSparks() throws Exception {
    conf.set(TYPE, "classic");
    assertThat(ReadClients.of(PATH, conf)).isSameAs(PATH.getFileSystem(conf));
    FileSystem.closeAll();
    conf.set(TYPE, "analytics");
    conf.set("fs.s3a.impl.disable.cache", "true");
    try (FileSystem sparks = PATH.getFileSystem(conf);
        FileSystem ours = ReadClients.of(PATH, conf)) {
      assertThat(hasAnalytics(ours)).isEqualTo(hasAnalytics(sparks));
    }
  }

  private static boolean hasAnalytics(FileSystem fs) throws IOException {
    return fs.hasPathCapability(PATH, ANALYTICS);
  }

  private void assertRead(ParquetFile file) throws IOException {
    try (FileSource source = FileSource.open(file, conf, new ScanCounters())) {
      assertThat(SourceBytes.read(source, FROM, LENGTH))
          .isEqualTo(Arrays.copyOfRange(bytes, FROM, FROM + LENGTH));
    }
    IdleStreams.close(file);
  }
}

package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.stores.S3Server;
import io.mooring.stores.StoreFront.Fault;
import io.mooring.stores.StoreFront.Request;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How many requests a file in S3 costs, and how many are under way at a time. */
@Tag("stores")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3SourceRequestsTest {
  private static final int READS = 24;

  @TempDir static Path folder;
  private S3File s3;

  @BeforeAll
  void start() throws Exception {
    s3 = new S3File(folder);
  }

  @AfterAll
  void stop() throws Exception {
    s3.close();
  }

  @BeforeEach
  void put() throws IOException {
    s3.renew();
  }

  @AfterEach
  void nothingIsUnderWay() {
    s3.assertNothingIsUnderWay();
  }

  /** The requests that a footer takes. */
  private static List<String> ofFooter() {
    return S3Server.isOpenedWithoutRequest() ? List.of("GET") : List.of("HEAD", "GET");
  }

  @Test
  void aFooterAndARangeOfDataTakeOneRequestEach() throws Exception {
    s3.readFooter();
    assertThat(s3.methods()).isEqualTo(ofFooter());
    try (FileSource source = s3.open()) {
      s3.assertRead(source, 4, 50_000);
    }
    assertThat(s3.front().takeRequests())
        .containsExactly(
            new Request("GET", "/" + S3Server.BUCKET + "/" + s3.name(), "bytes=4-50003"));
    assertThat(s3.counters().value(Counter.REQUESTS)).isEqualTo(2);
    assertThat(s3.counters().value(Counter.BYTES_REQUESTED))
        .isBetween(50_000L, 50_000L + s3.bytes().length);
  }

  @Test
  void aSmallFileTakesOneRequest() throws Exception {
    s3.readWithFooter();
    assertThat(s3.methods()).isEqualTo(ofFooter());
    assertThat(s3.counters().value(Counter.BYTES_REQUESTED)).isEqualTo(s3.bytes().length);
    assertThat(WholeFiles.shared().usedBytes()).isEqualTo(s3.bytes().length);
    try (FileSource source = s3.open()) {
      s3.assertRead(source, 0, s3.bytes().length);
      s3.assertRead(source, 4, 50_000);
      assertThatThrownBy(() -> s3.assertRead(source, 1, s3.bytes().length))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining(s3.name());
    }
    assertThat(s3.methods()).isEmpty();
    assertThat(WholeFiles.shared().usedBytes()).isZero();
    // Read again, as after a pause: no stream has waited for that.
    try (FileSource source = s3.open()) {
      s3.assertRead(source, 4, 50_000);
    }
    assertThat(s3.methods()).containsExactly("HEAD", "GET");
  }

  /** The unit that would have taken them is not read. */
  @Test
  void theBytesOfASmallFileAreDroppedWithItsStream() throws Exception {
    s3.readWithFooter();
    s3.methods();
    IdleStreams.close(s3.file());
    assertThat(WholeFiles.shared().usedBytes()).isZero();
    try (FileSource source = s3.open()) {
      s3.assertRead(source, 4, 50_000);
    }
    assertThat(s3.methods()).startsWith("HEAD", "GET");
  }

  /** The bytes are those of the footer, whatever has come in their place. */
  @Test
  void aSmallFileThatIsReplacedIsReadAsItsFooter() throws Exception {
    s3.readWithFooter();
    byte[] others = s3.bytes().clone();
    others[1000]++;
    s3.overwrite(others);
    try (FileSource source = s3.open()) {
      s3.assertRead(source, 0, s3.bytes().length);
    }
  }

  @Test
  void aFooterThatIsHeldCostsOneQuestionForTheFile() throws Exception {
    await().until(() -> FileState.beforeReading(s3.file(), s3.conf()).isSettled());
    s3.readFooter();
    IdleStreams.close(s3.file());
    s3.methods();
    s3.readFooter();
    try (FileSource source = s3.open()) {
      s3.assertRead(source, 0, 1000);
      s3.assertRead(source, 1000, 1000);
    }
    try (FileSource source = s3.open()) {
      s3.assertRead(source, 2000, 1000);
    }
    // The last two are one where the client goes on reading what it has asked for.
    assertThat(s3.methods()).startsWith("HEAD", "GET", "GET").hasSizeBetween(3, 4);
  }

  @Test
  void aFooterOfAFileJustWrittenIsNotHeld() throws Exception {
    s3.readFooter();
    IdleStreams.close(s3.file());
    s3.methods();
    s3.readFooter();
    assertThat(s3.methods()).isEqualTo(ofFooter());
  }

  /** None of them is answered before all have come. */
  @Test
  void readsOfOneFileAreAllUnderWayAtATime() throws Exception {
    CountDownLatch all = new CountDownLatch(READS);
    s3.front()
        .breakThose(
            request -> {
              if (request.method().equals("GET")) {
                all.countDown();
                awaitAll(all);
              }
              return Fault.NONE;
            });
    s3.readByThreads(READS, 1);
    assertThat(s3.counters().value(Counter.REQUESTS_AT_ONCE)).isGreaterThanOrEqualTo(READS);
  }

  private static void awaitAll(CountDownLatch all) {
    try {
      assertThat(all.await(60, TimeUnit.SECONDS)).as("all requests are under way").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

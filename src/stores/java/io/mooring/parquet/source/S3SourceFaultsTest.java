package io.mooring.parquet.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.stores.StoreFront.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file in S3 that is replaced is refused, and answers that fail are never taken for the file. */
@Tag("stores")
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3SourceFaultsTest {
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

  @Test
  void aFileThatIsReplacedAfterItsFooterWasReadIsRefused() throws Exception {
    s3.readFooter();
    byte[] others = s3.bytes().clone();
    others[100]++;
    s3.overwrite(others);
    try (FileSource source = s3.open()) {
      assertThatThrownBy(() -> s3.assertRead(source, 0, 1000)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void anotherFileOfTheSameLengthAndSecondIsRefused() throws Exception {
    byte[] other = s3.bytes().clone();
    other[other.length / 2]++;
    ParquetFile replacement;
    do {
      s3.putAgain();
      replacement = s3.replaceBy(other);
    } while (replacement.modificationTime() != s3.file().modificationTime());
    assertThat(replacement).isNotEqualTo(s3.file());
    assertThat(replacement.length()).isEqualTo(s3.file().length());
    assertThat(FileState.now(replacement, s3.conf(), s3.counters()).file()).isEqualTo(replacement);
    assertThatThrownBy(() -> FileState.now(s3.file(), s3.conf(), s3.counters()))
        .hasMessageContaining("written again");
    try (FileSource source = s3.open()) {
      assertThatThrownBy(() -> s3.assertRead(source, 0, 1000))
          .hasMessageContaining("written again");
    }
  }

  @Test
  void aFileThatWasReplacedBeforeItIsReadAgainIsRefused() throws Exception {
    s3.readFooter();
    IdleStreams.close(s3.file());
    s3.overwrite(Arrays.copyOf(s3.bytes(), s3.bytes().length + 1));
    try (FileSource source = s3.open()) {
      assertThatThrownBy(() -> s3.assertRead(source, 0, 1000))
          .hasMessageContaining("written again");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "SLOW_DOWN", "RESET", "TRUNCATED"})
  void whatBreaksIsReadAllTheSame(Fault fault) throws Exception {
    Random random = new Random(fault.ordinal());
    s3.front()
        .breakThose(
            request -> {
              synchronized (random) {
                return random.nextInt(5) == 0 ? fault : Fault.NONE;
              }
            });
    s3.readByThreads(8, 10);
  }

  @Test
  void aStoreThatIsDownIsAnErrorThatNamesTheFile() throws Exception {
    Configuration impatient = new Configuration(s3.conf());
    impatient.set("fs.s3a.retry.limit", "1");
    impatient.set("fs.s3a.attempts.maximum", "1");
    var path = s3.file().hadoopPath();
    try (FileSystem fs = FileSystem.newInstance(path.toUri(), impatient)) {
      s3.front().breakThose(request -> Fault.RESET);
      try (FileSource source = HadoopFileSource.of(s3.file(), fs, s3.counters())) {
        assertThatThrownBy(() -> s3.assertRead(source, 0, 100_000))
            .isInstanceOf(IOException.class)
            .hasMessageContaining(s3.name());
      }
      IdleStreams.close(s3.file());
    }
  }
}

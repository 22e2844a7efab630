package io.mooring.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.source.FileState;
import io.mooring.parquet.source.ParquetFile;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of which files a cache keeps chunks. */
class CacheLimitsTest {
  private static final long OLD = System.currentTimeMillis() - Duration.ofMinutes(1).toMillis();
  private static final FileState LOCAL =
      new FileState(new ParquetFile("file:/a", 3, OLD), 7, OLD * 1_000_000, null);
  private static final FileState STORED = stored(OLD, null);

  private static FileState stored(long time, String eTag) {
    return new FileState(new ParquetFile("s3a://bucket/a", 3, time, eTag), 0, 0, null);
  }

  @Test
  void memoryThatIsLeftIsForRemoteFiles() {
    CacheLimits limits = CacheLimits.ofRemoteFiles(1 << 20);
    assertThat(limits.allow(STORED)).isTrue();
    assertThat(limits.allow(LOCAL)).isFalse();
  }

  @Test
  void memoryThatIsGivenIsForAllFiles() {
    CacheLimits limits = CacheLimits.ofAllFiles(1 << 20);
    assertThat(limits.allow(STORED)).isTrue();
    assertThat(limits.allow(LOCAL)).isTrue();
  }

  @Test
  void withoutMemoryNothingIsKept() {
    assertThat(CacheLimits.ofAllFiles(0).allow(STORED)).isFalse();
    assertThat(CacheLimits.ofRemoteFiles(0).allow(STORED)).isFalse();
  }

  /** The e-tag names what was listed, which need not be what is read. */
  @Test
  void ofAFileJustWrittenNothingIsKept() {
    CacheLimits limits = CacheLimits.ofAllFiles(1 << 20);
    assertThat(limits.allow(stored(System.currentTimeMillis(), null))).isFalse();
    assertThat(limits.allow(stored(System.currentTimeMillis(), "abc"))).isFalse();
  }
}

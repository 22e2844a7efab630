package io.mooring.benchmarks.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheTest {

  private static final Set<String> ON_DISK = Set.of("ext4", "xfs", "btrfs");

  @TempDir private Path temporary;

  private Path written() throws IOException {
    return Files.write(temporary.resolve("a b.parquet"), new byte[3 << 20]);
  }

  @Test
  void whatWasReadIsCached() throws IOException {
    Path file = written();
    assertThat(Files.readAllBytes(file)).hasSize(3 << 20);
    assertThat(new PageCache(List.of(file), false).prepare()).isEqualTo(100);
  }

  @Test
  void aColdFileIsOnTheDiskOnly() throws IOException {
    Path file = written();
    assumeTrue(ON_DISK.contains(Files.getFileStore(file).type()), "not a plain disk");
    assertThat(new PageCache(List.of(file), true).prepare())
        .isLessThanOrEqualTo(PageCache.COLD_AT_MOST);
    assertThat(Files.readAllBytes(file)).containsOnly(0);
  }
}

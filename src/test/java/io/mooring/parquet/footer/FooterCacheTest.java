package io.mooring.parquet.footer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.RequestCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FooterCacheTest {
  @TempDir Path folder;

  private ParquetFile write(String name) throws IOException {
    return ParquetFiles.write(folder.resolve(name), 10, 1 << 20);
  }

  private static Footer footer(FooterCache cache, ParquetFile file) throws Exception {
    return cache.footer(file, ParquetFiles.CONF);
  }

  @Test
  void aFooterIsReadOnce() throws Exception {
    FooterCache cache = new FooterCache(1 << 20);
    ParquetFile file = write("a.parquet");
    Footer first = footer(cache, file);
    assertThat(footer(cache, file)).isSameAs(first);
  }

  @Test
  void theFooterOfAFileThatIsGoneOrReplacedIsNotGiven() throws Exception {
    FooterCache cache = new FooterCache(1 << 20);
    ParquetFile file = write("replaced.parquet");
    Footer first = footer(cache, file);
    Path path = folder.resolve("replaced.parquet");
    Path copy = Files.copy(path, folder.resolve("copy"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.move(copy, path, StandardCopyOption.ATOMIC_MOVE);
    assertThat(ParquetFiles.at(path)).as("the same as it is listed").isEqualTo(file);
    assertThat(footer(cache, file)).isNotSameAs(first);
    Files.delete(path);
    assertThatThrownBy(() -> footer(cache, file)).isInstanceOf(IOException.class);
  }

  @Test
  void aFileThatWasWrittenAgainIsReadAgain() throws Exception {
    FooterCache cache = new FooterCache(1 << 20);
    ParquetFile file = write("a.parquet");
    Footer first = footer(cache, file);
    ParquetFile later = new ParquetFile(file.path(), file.length(), file.modificationTime() + 1);
    assertThat(footer(cache, later)).isNotSameAs(first);
  }

  @Test
  void theLeastRecentlyUsedFooterGoesFirst() throws Exception {
    ParquetFile a = write("a.parquet");
    ParquetFile b = write("b.parquet");
    ParquetFile c = write("c.parquet");
    int bytes = FooterReader.read(a, ParquetFiles.CONF, RequestCounts.NONE, false).thrift().length;
    FooterCache cache = new FooterCache(2L * bytes);
    Footer footerOfA = footer(cache, a);
    Footer footerOfB = footer(cache, b);
    assertThat(footer(cache, a)).isSameAs(footerOfA);
    footer(cache, c);
    assertThat(footer(cache, a)).isSameAs(footerOfA);
    assertThat(footer(cache, b)).isNotSameAs(footerOfB);
  }

  @Test
  void aFooterLargerThanTheCacheIsStillServed() throws Exception {
    assertThat(footer(new FooterCache(1), write("a.parquet")).rowGroups()).hasSize(1);
  }

  @Test
  void aFailureIsNotRemembered() throws Exception {
    FooterCache cache = new FooterCache(1 << 20);
    Path path = folder.resolve("a.parquet");
    ParquetFile file = write("a.parquet");
    byte[] good = Files.readAllBytes(path);
    Files.delete(path);
    assertThatThrownBy(() -> footer(cache, file)).isInstanceOf(IOException.class);
    Files.write(path, good);
    assertThat(footer(cache, file).rowGroups()).hasSize(1);
  }
}

package io.mooring.benchmarks.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.worker.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreSalesFolderTest {

  @TempDir private Path temporary;

  private StoreSalesFolder folder(String size, long seed) {
    return new StoreSalesFolder(temporary.resolve("data"), ByteSize.parse(size), seed, 16);
  }

  private static void writeOneFile(Request.Generate what) {
    try {
      Path folder = Files.createDirectories(Path.of(URI.create(what.folder())));
      Files.writeString(folder.resolve("part-0.parquet"), "PAR1");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void isUsedAgainWhenItIsTheOneAskedFor() {
    StoreSalesFolder folder = folder("1m", 42);
    assertThat(folder.isComplete()).isFalse();
    folder.generate(StoreSalesFolderTest::writeOneFile);
    assertThat(folder.isComplete()).isTrue();
    assertThat(folder("1m", 43).isComplete()).isFalse();
    assertThat(folder("2m", 42).isComplete()).isFalse();
    assertThat(InputFiles.in(folder.path())).isEqualTo(new InputFiles(folder.path(), 1, 4));
  }

  @Test
  void whatFailsHalfwayIsNotComplete() {
    StoreSalesFolder folder = folder("1m", 42);
    assertThatThrownBy(
            () ->
                folder.generate(
                    what -> {
                      writeOneFile(what);
                      throw new IllegalStateException("power cut");
                    }))
        .hasMessage("power cut");
    assertThat(folder.isComplete()).isFalse();
    folder.generate(StoreSalesFolderTest::writeOneFile);
    assertThat(folder.isComplete()).isTrue();
  }

  @Test
  void leavesOtherPeoplesFilesAlone() throws IOException {
    StoreSalesFolder folder = folder("1m", 42);
    Path thesis = Files.createDirectories(folder.path()).resolve("thesis.txt");
    Files.writeString(thesis, "years of work");
    assertThatThrownBy(() -> folder.generate(StoreSalesFolderTest::writeOneFile))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("something else");
    assertThat(thesis).exists();
  }

  @Test
  void refusesADiskThatIsTooSmall() {
    assertThatThrownBy(() -> folder("900t", 42).generate(StoreSalesFolderTest::writeOneFile))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("MiB free");
  }

  @Test
  void thereAreTwoFilesForEachCore() {
    StoreSalesFolder.Marker small = folder("64m", 42).wanted();
    assertThat(small.rows() / small.rowsPerFile()).isGreaterThanOrEqualTo(32);
    assertThat(folder("16g", 42).wanted().rowsPerFile()).isEqualTo(StoreSales.BLOCK_ROWS);
  }
}

package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.ByteRange;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.HybridScanReader;
import ai.rapids.cudf.ParquetOptions;
import ai.rapids.cudf.Table;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.testing.RequiresGpu;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fault of cudf 26.08.1 for which {@link HybridScan} makes a reader for each call. */
@Tag("forked-gpu")
@RequiresGpu
class HybridReaderReuseTest {
  private static final int LIMIT_SECONDS = 180;

  @TempDir Path folder;

  @Test
  void aReaderStillServesOneCallOnly() throws Exception {
    Path file = folder.resolve("a.parquet");
    ParquetFiles.write(file, 5_000, 1 << 20);
    List<String> lines = run(file);
    assertThat(lines).contains(HybridReaderTwice.FIRST);
    assertThat(lines)
        .as("this cudf decodes twice with one reader: HybridScan can keep its reader")
        .doesNotContain(HybridReaderTwice.SECOND);
  }

  /** The lines that the program printed until it ended, or was ended. */
  private List<String> run(Path file) throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + folder.resolve("crash.log"),
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty("java.class.path"),
                HybridReaderTwice.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    } finally {
      process.destroyForcibly().waitFor();
    }
    return Files.readAllLines(output);
  }

  /**
   * A program of its own, because it may crash: decodes the column {@code id} of a file of {@link
   * ParquetFiles} twice with one reader, and prints a line after each time that gave the right
   * values.
   */
  static final class HybridReaderTwice {
    static final String FIRST = "decoded once";
    static final String SECOND = "decoded twice";
    private static final int[] ROW_GROUPS = {0};

    private HybridReaderTwice() {}

    public static void main(String[] args) throws Exception {
      Path path = Path.of(args[0]);
      byte[] file = Files.readAllBytes(path);
      Footer footer = Footers.read(ParquetFiles.at(path));
      try (HybridScanReader reader = reader(footer)) {
        ByteRange[] ranges = reader.allColumnChunksByteRanges(ROW_GROUPS);
        DeviceMemoryBuffer[] chunks = new DeviceMemoryBuffer[ranges.length];
        for (int i = 0; i < chunks.length; i++) {
          chunks[i] = upload(file, ranges[i]);
        }
        decode(reader, chunks);
        say(FIRST);
        decode(reader, chunks);
        say(SECOND);
      }
    }

    private static HybridScanReader reader(Footer footer) {
      byte[] thrift = footer.thrift();
      try (HostMemoryBuffer bytes = HostMemoryBuffer.allocateRaw(thrift.length)) {
        bytes.setBytes(0, thrift, 0, thrift.length);
        return new HybridScanReader(bytes, ParquetOptions.builder().includeColumn("id").build());
      }
    }

    private static DeviceMemoryBuffer upload(byte[] file, ByteRange range) {
      DeviceMemoryBuffer device = DeviceMemoryBuffer.allocate(range.size());
      try (HostMemoryBuffer host = HostMemoryBuffer.allocateRaw(range.size())) {
        host.setBytes(0, file, range.offset(), range.size());
        device.copyFromHostBuffer(host);
      }
      return device;
    }

    private static void decode(HybridScanReader reader, DeviceMemoryBuffer[] chunks) {
      try (Table table = reader.materializeAllColumns(ROW_GROUPS, chunks);
          HostColumnVector ids = table.getColumn(0).copyToHost()) {
        for (int i = 0; i < ids.getRowCount(); i++) {
          if (ids.getLong(i) != i) {
            throw new IllegalStateException("Value " + i + " is " + ids.getLong(i));
          }
        }
      }
    }

    private static void say(String line) {
      System.out.println(line);
      System.out.flush();
    }
  }
}

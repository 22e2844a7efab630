package io.mooring.parquet.footer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.RequestCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FooterReaderTest {
  @TempDir Path folder;
  private Path path;
  private byte[] good;

  @BeforeEach
  void write() throws IOException {
    path = folder.resolve("a.parquet");
    ParquetFiles.write(path, 2_000, 8 << 10);
    good = Files.readAllBytes(path);
    // Hadoop's checksum file would notice the damage before the reader does.
    Files.delete(folder.resolve(".a.parquet.crc"));
  }

  private Footer read(byte[] bytes) throws Exception {
    Files.write(path, bytes);
    return FooterReader.read(ParquetFiles.at(path), ParquetFiles.CONF, RequestCounts.NONE, false);
  }

  private byte[] withFooterLength(int length) {
    byte[] bytes = good.clone();
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(bytes.length - 2 * Integer.BYTES, length);
    return bytes;
  }

  @Test
  void theThriftBytesAreExactlyThoseOfTheFile() throws Exception {
    Footer footer = read(good);
    int end = good.length - 8;
    assertThat(footer.thrift())
        .isEqualTo(Arrays.copyOfRange(good, end - footer.thrift().length, end));
    assertThat(footer.rowGroups()).hasSizeGreaterThan(1);
    assertThat(footer.keyValue("no such key")).isNull();
  }

  @Test
  void aFooterLongerThanTheFirstReadIsReadWhole() throws Exception {
    ParquetFile large = ParquetFiles.write(folder.resolve("large.parquet"), 60_000, 2 << 10);
    Footer footer = FooterReader.read(large, ParquetFiles.CONF, RequestCounts.NONE, false);
    assertThat(footer.thrift().length).isGreaterThan(64 << 10);
    assertThat(footer.middles()).hasSameSizeAs(footer.rowGroups().toArray());
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 0, 1, 10})
  void aLengthThatLiesIsSparksToRefuse(int length) {
    assertThatThrownBy(() -> read(withFooterLength(length)))
        .isInstanceOf(UnreadableOnGpuException.class);
  }

  @Test
  void filesThatAreNotParquetAreSparksToRefuse() {
    assertThatThrownBy(() -> read(new byte[0])).isInstanceOf(UnreadableOnGpuException.class);
    assertThatThrownBy(() -> read(new byte[11])).isInstanceOf(UnreadableOnGpuException.class);
    assertThatThrownBy(() -> read(new byte[4096])).isInstanceOf(UnreadableOnGpuException.class);
    assertThatThrownBy(() -> read(Arrays.copyOf(good, good.length / 2)))
        .isInstanceOf(UnreadableOnGpuException.class);
  }

  @Test
  void anEncryptedFooterIsSparksToRead() {
    byte[] bytes = good.clone();
    byte[] magic = "PARE".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(magic, 0, bytes, bytes.length - magic.length, magic.length);
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(UnreadableOnGpuException.class)
        .hasMessageContaining("unencrypted");
  }

  @Test
  void randomDamageIsReadOrRefusedAndNothingElse() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      byte[] bad = good.clone();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        bad[bad.length - 9 - random.nextInt(700)] = (byte) random.nextInt();
      }
      try {
        read(bad);
      } catch (UnreadableOnGpuException expected) {
        // Bits of the flags can make it encrypted as well: any reason will do.
        assertThat(expected.getMessage()).as("seed %s, round %s", seed, round).isNotBlank();
      }
    }
  }
}

package io.mooring.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HadoopFileSourceTest {
  @TempDir Path folder;

  private FileSource source(byte[] bytes) throws IOException {
    Path path = Files.write(folder.resolve("bytes"), bytes);
    FileSystem fs = FileSystem.getLocal(new Configuration());
    return new HadoopFileSource(fs.open(new org.apache.hadoop.fs.Path(path.toUri())));
  }

  private static byte[] read(FileSource source, long offset, int bytes) throws IOException {
    try (HostBuffer buffer = HostMemory.allocate(bytes)) {
      source.readFully(offset, buffer.address(), bytes);
      byte[] copy = new byte[bytes];
      Platform.copyMemory(null, buffer.address(), copy, Platform.BYTE_ARRAY_OFFSET, bytes);
      return copy;
    }
  }

  @Test
  void readsLongerThanItsHeapBufferArriveWhole() throws IOException {
    byte[] bytes = new byte[(3 << 20) + 17];
    new Random(1).nextBytes(bytes);
    try (FileSource source = source(bytes)) {
      assertThat(read(source, 5, bytes.length - 9))
          .isEqualTo(Arrays.copyOfRange(bytes, 5, bytes.length - 4));
      assertThat(read(source, 0, 3)).isEqualTo(Arrays.copyOf(bytes, 3));
    }
  }

  @Test
  void aFileThatEndsTooEarlyIsAnError() throws IOException {
    try (FileSource source = source(new byte[100])) {
      assertThatThrownBy(() -> read(source, 50, 51)).isInstanceOf(EOFException.class);
    }
  }
}

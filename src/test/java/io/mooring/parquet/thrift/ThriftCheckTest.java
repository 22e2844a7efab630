package io.mooring.parquet.thrift;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.source.ParquetFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThriftCheckTest {
  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  @Test
  void realFooter_passes_andTruncatedAnywhere_isRefused(@TempDir Path folder) throws Exception {
    ParquetFile file = ParquetFiles.write(folder.resolve("a.parquet"), 500, 4 << 10);
    byte[] footer = Footers.read(file).thrift();
    assertThatCode(() -> ThriftCheck.check(footer)).doesNotThrowAnyException();
    for (int length = 0; length < footer.length; length++) {
      byte[] part = Arrays.copyOf(footer, length);
      assertThatThrownBy(() -> ThriftCheck.check(part))
          .isInstanceOf(IOException.class)
          .hasMessageMatching("Thrift: (the bytes are truncated|a size is beyond the end)");
    }
  }

  @Test
  void everyType_passes() throws Exception {
    // Booleans, byte, i16, i32, i64, double, text, list of booleans, map, struct, a long field id.
    ThriftCheck.check(
        bytes(
            0x11, 0x12, 0x13, 7, 0x14, 2, 0x15, 0x80, 1, 0x16, 2, 0x17, 0, 0, 0, 0, 0, 0, 0, 0,
            0x18, 2, 'a', 'b', 0x19, 0x21, 1, 2, 0x1b, 1, 0x85, 1, 'k', 4, 0x1c, 0, 0x05, 200, 1, 4,
            0));
  }

  @Test
  void bytesAfterTheStruct_areIgnored() throws Exception {
    ThriftCheck.check(bytes(0x15, 2, 0, 0xff, 0xff));
  }

  @Test
  void sizesBeyondTheEnd_areRefused() {
    for (int list : new int[] {0xfc, 0xf1, 0xf8, 0xf0}) {
      assertThatThrownBy(() -> ThriftCheck.check(bytes(0x19, list, 0xff, 0xff, 0xff, 0xff, 7, 0)))
          .hasMessageContaining("a size is beyond the end");
    }
    assertThatThrownBy(() -> ThriftCheck.check(bytes(0x18, 4, 'a', 'b', 'c')))
        .hasMessageContaining("a size is beyond the end");
    assertThatThrownBy(() -> ThriftCheck.check(bytes(0x1b, 0xff, 1, 0x85, 0)))
        .hasMessageContaining("a size is beyond the end");
  }

  @Test
  void unknownTypesAndEndlessNumbers_areRefused() {
    assertThatThrownBy(() -> ThriftCheck.check(bytes(0x19, 0x20, 0, 0)))
        .hasMessageContaining("no type 0");
    byte[] number = new byte[20];
    Arrays.fill(number, (byte) 0xff);
    number[0] = 0x15;
    assertThatThrownBy(() -> ThriftCheck.check(number)).hasMessageContaining("has no end");
  }

  @Test
  void deeplyNestedStructs_areRefused() throws Exception {
    byte[] deep = new byte[100];
    Arrays.fill(deep, 0, 30, (byte) 0x1c);
    ThriftCheck.check(deep);
    Arrays.fill(deep, 0, 50, (byte) 0x1c);
    assertThatThrownBy(() -> ThriftCheck.check(deep)).hasMessageContaining("too deep");
  }
}

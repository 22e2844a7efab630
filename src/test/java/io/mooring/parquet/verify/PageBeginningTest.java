package io.mooring.parquet.verify;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.PageType;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a page begins with is checked alike whole and in pieces. */
class PageBeginningTest {
  private static final ColumnDescriptor OPTIONAL =
      MessageTypeParser.parseMessageType("message m { optional int32 v; }").getColumns().get(0);
  // Ten levels of 1 in one run, then Snappy's length of 40 bytes, and the first literal.
  private static final byte[] BODY = {20, 1, 40, (byte) 0x9c, 0, 0, 0, 0};

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8})
  void levelsAndLengthsFit(int piece) {
    assertThatCode(() -> add(page(2, 42), BODY, piece)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8})
  void levelsOfAnotherSizeAreFound(int piece) {
    for (int definitionBytes : new int[] {0, 1, 3, 8}) {
      assertThatThrownBy(() -> add(page(definitionBytes, 40 + definitionBytes), BODY, piece))
          .as("%d bytes", definitionBytes)
          .isInstanceOf(IOException.class)
          .hasMessage("the size of its levels");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8})
  void valuesOfAnotherLengthAreFound(int piece) {
    assertThatThrownBy(() -> add(page(2, 43), BODY, piece))
        .isInstanceOf(IOException.class)
        .hasMessage("its values are not compressed by the footer's codec");
  }

  /** Ten values have levels, also where all of them are null. */
  @Test
  void aPageWithoutBytesIsFound() {
    PageHeader empty =
        new PageHeader(PageType.DATA_PAGE_V2, 0, 0, false, 0, 10, 10, 10, 0, 0, 0, 0, 0, false);
    assertThatThrownBy(() -> add(empty, new byte[0], 1)).hasMessage("the size of its levels");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5})
  void tooFewBytesOfValuesAreFound(int bytes) {
    byte[] body = Arrays.copyOf(new byte[] {20, 1, (byte) 0xac, (byte) 0x82, 1}, bytes);
    for (int uncompressed : new int[] {3, 42, 302}) {
      assertThatThrownBy(() -> add(page(2, uncompressed, body.length), body, 1))
          .as("%d bytes", uncompressed)
          .hasMessage("its values are not compressed by the footer's codec");
    }
  }

  /** The values of a page may all be null. */
  @Test
  void noValuesMayTakeNoBytes() {
    assertThatCode(() -> add(page(2, 2, 2), new byte[] {20, 0}, 1)).doesNotThrowAnyException();
    assertThatCode(() -> add(page(2, 2, 3), new byte[] {20, 0, 0}, 1)).doesNotThrowAnyException();
  }

  private static PageHeader page(int definitionBytes, int uncompressedBytes) {
    return page(definitionBytes, uncompressedBytes, BODY.length);
  }

  private static PageHeader page(int definitionBytes, int uncompressedBytes, int compressedBytes) {
    return new PageHeader(
        PageType.DATA_PAGE_V2,
        uncompressedBytes,
        compressedBytes,
        false,
        0,
        10,
        0,
        10,
        0,
        0,
        0,
        definitionBytes,
        0,
        true);
  }

  private static void add(PageHeader page, byte[] body, int piece) throws IOException {
    PageBeginning beginning = new PageBeginning(CompressionCodecName.SNAPPY, OPTIONAL);
    beginning.begin(page);
    for (int at = 0; at < body.length; at += piece) {
      beginning.add(ByteBuffer.wrap(body, at, Math.min(piece, body.length - at)).slice());
    }
  }
}

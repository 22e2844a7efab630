package io.mooring.parquet.verify;

import io.mooring.parquet.thrift.ThriftReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/**
 * Checks what the bodies of a column chunk's pages begin with: levels, and the first bytes of
 * values. They can come in pieces. Used by one thread at a time.
 */
final class PageBeginning {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final CompressionCodecName codec;
  private final ColumnDescriptor column;
  // Null once it is checked.
  private @Nullable PageHeader page;
  private int length;
  private ByteBuffer collected = NOTHING;

  PageBeginning(CompressionCodecName codec, ColumnDescriptor column) {
    this.codec = codec;
    this.column = column;
  }

  /**
   * Begins a page whose header was checked.
   *
   * @throws IOException when a page without bytes should have some
   */
  void begin(PageHeader header) throws IOException {
    page = header;
    int levels = header.definitionBytes() + header.repetitionBytes();
    length = levels + Math.min(header.compressedBytes() - levels, CodecMagic.MOST_BYTES);
    collected = NOTHING;
    if (length == 0) {
      check(header, NOTHING);
    }
  }

  /**
   * Adds the next bytes of the page's body; those behind its beginning change nothing.
   *
   * @throws IOException when levels are not as long as the header says, or values not of the
   *     footer's codec
   */
  void add(ByteBuffer bytes) throws IOException {
    PageHeader header = page;
    if (header != null && collected.position() == 0 && bytes.limit() >= length) {
      check(header, bytes.slice(0, length));
    } else if (header != null) {
      collected = collected == NOTHING ? ByteBuffer.allocate(length) : collected;
      collected.put(bytes.slice(0, Math.min(bytes.limit(), collected.remaining())));
      if (!collected.hasRemaining()) {
        check(header, collected.flip());
      }
    }
  }

  private void check(PageHeader header, ByteBuffer bytes) throws IOException {
    page = null;
    collected = NOTHING;
    int repetitions = header.repetitionBytes();
    int definitions = header.definitionBytes();
    boolean fit =
        !header.isV2()
            || (fit(header, bytes.slice(0, repetitions), column.getMaxRepetitionLevel())
                && fit(
                    header, bytes.slice(repetitions, definitions), column.getMaxDefinitionLevel()));
    if (!fit) {
      throw new IOException("the size of its levels");
    }
    int values = repetitions + definitions;
    if (!CodecMagic.matches(codec, header, bytes.slice(values, bytes.limit() - values))) {
      throw new IOException("its values are not compressed by the footer's codec");
    }
  }

  private static boolean fit(PageHeader header, ByteBuffer levels, int highest) {
    return highest == 0 || LevelRunCheck.matches(levels, highest, header.values());
  }

  /**
   * Checks the magic number, or the length, at the beginning of compressed bytes: with a footer
   * that names another codec the GPU would run the wrong decompressor. After RFC 1952 (gzip), RFC
   * 8878 (Zstandard) and Snappy's format_description.txt.
   */
  private static final class CodecMagic {
    /** The most that it looks at: a varint of 32 bits. */
    static final int MOST_BYTES = 5;

    private static final int GZIP = 0x8b1f;
    private static final int ZSTD = 0xfd2fb528;
    private static final int LZ4_LITERALS = 0xf0;

    private CodecMagic() {}

    /**
     * Whether a page's values begin as the codec's do.
     *
     * @param values their first bytes, all of them if they are fewer than {@link #MOST_BYTES}
     */
    static boolean matches(CompressionCodecName codec, PageHeader page, ByteBuffer values) {
      int uncompressed = page.uncompressedBytes() - page.definitionBytes() - page.repetitionBytes();
      // Writers compress nothing to nothing, or to whatever their codec makes of it.
      boolean isNothing = uncompressed == 0 && values.limit() < Integer.BYTES;
      if (!page.compressed() || isNothing) {
        return true;
      }
      int magic = littleEndian(values);
      boolean isGzip = (magic & 0xffff) == GZIP;
      return switch (codec) {
        case GZIP -> isGzip;
        case ZSTD -> magic == ZSTD;
        case SNAPPY -> snappyLength(values) == uncompressed;
          // No LZ4 block begins with a magic number, nor without a literal, as empty blocks and
          // Hadoop's frames of LZ4 do: it would copy from before its first byte.
        case LZ4_RAW -> !isGzip && magic != ZSTD && (magic & LZ4_LITERALS) != 0;
        default -> true;
      };
    }

    /** The first four bytes; those that are missing count as 0, which no magic number has. */
    private static int littleEndian(ByteBuffer values) {
      byte[] first = new byte[Integer.BYTES];
      values.get(0, first, 0, Math.min(first.length, values.limit()));
      return ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN).getInt();
    }

    private static long snappyLength(ByteBuffer values) {
      try {
        return new ThriftReader(values).varint();
      } catch (IOException e) {
        return -1;
      }
    }
  }
}

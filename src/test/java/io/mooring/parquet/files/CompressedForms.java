package io.mooring.parquet.files;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import net.jpountz.lz4.LZ4Factory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/** Ways to compress a page that a codec's format allows, as few writers do, or does not. */
public enum CompressedForms {
  GZIP_MEMBER(CompressionCodecName.GZIP, true) {
    @Override
    public byte[] of(byte[] page) {
      return GzipMembers.gzip(page);
    }
  },
  GZIP_STORED(CompressionCodecName.GZIP, true) {
    @Override
    public byte[] of(byte[] page) {
      return GzipMembers.member(
          0, new byte[0], GzipMembers.deflated(page, Deflater.NO_COMPRESSION, false), page);
    }
  },
  GZIP_MEMBERS(CompressionCodecName.GZIP, false) {
    @Override
    public byte[] of(byte[] page) {
      return joined(GzipMembers.gzip(half(page, 0)), GzipMembers.gzip(half(page, 1)));
    }
  },
  GZIP_EMPTY_FIRST(CompressionCodecName.GZIP, false) {
    @Override
    public byte[] of(byte[] page) {
      return joined(GzipMembers.gzip(new byte[0]), GzipMembers.gzip(page));
    }
  },
  GZIP_EMPTY_LAST(CompressionCodecName.GZIP, false) {
    @Override
    public byte[] of(byte[] page) {
      return joined(GzipMembers.gzip(page), GzipMembers.gzip(new byte[0]));
    }
  },
  GZIP_EMPTY_STORED_FIRST(CompressionCodecName.GZIP, false) {
    @Override
    public byte[] of(byte[] page) {
      byte[] stored = {1, 0, 0, -1, -1};
      return joined(
          GzipMembers.member(0, new byte[0], stored, new byte[0]), GzipMembers.gzip(page));
    }
  },
  GZIP_EMPTY_BLOCKS_FIRST(CompressionCodecName.GZIP, false) {
    @Override
    public byte[] of(byte[] page) {
      byte[] blocks = new byte[101 * 5];
      for (int i = 0; i < blocks.length; i += 5) {
        blocks[i + 3] = -1;
        blocks[i + 4] = -1;
      }
      blocks[blocks.length - 5] = 1;
      return joined(
          GzipMembers.member(0, new byte[0], blocks, new byte[0]), GzipMembers.gzip(page));
    }
  },
  /** What is behind a flush is one member still, though its first block is empty. */
  GZIP_FLUSHED_FIRST(CompressionCodecName.GZIP, true) {
    @Override
    public byte[] of(byte[] page) {
      return GzipMembers.member(
          0, new byte[0], GzipMembers.deflated(page, Deflater.DEFAULT_COMPRESSION, true), page);
    }
  },
  GZIP_EXTRA_FIELD(CompressionCodecName.GZIP, false) {
    @Override
    public byte[] of(byte[] page) {
      byte[] field = {4, 0, 'a', 'b', 0, 0};
      return GzipMembers.member(
          4, field, GzipMembers.deflated(page, Deflater.DEFAULT_COMPRESSION, false), page);
    }
  },
  GZIP_NAMED(CompressionCodecName.GZIP, false) {
    @Override
    public byte[] of(byte[] page) {
      byte[] name = {'p', 'a', 'g', 'e', 0};
      return GzipMembers.member(
          8, name, GzipMembers.deflated(page, Deflater.DEFAULT_COMPRESSION, false), page);
    }
  },
  ZSTD_FRAME(CompressionCodecName.ZSTD, true) {
    @Override
    public byte[] of(byte[] page) {
      return Zstd.compress(page);
    }
  },
  /** A frame of blocks, with a checksum behind them, and without the size of the content. */
  ZSTD_STREAM(CompressionCodecName.ZSTD, true) {
    @Override
    public byte[] of(byte[] page) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ZstdOutputStreamNoFinalizer out = new ZstdOutputStreamNoFinalizer(bytes)) {
        out.setChecksum(true);
        out.write(half(page, 0));
        out.flush();
        out.write(half(page, 1));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return bytes.toByteArray();
    }
  },
  ZSTD_FRAMES(CompressionCodecName.ZSTD, false) {
    @Override
    public byte[] of(byte[] page) {
      return joined(Zstd.compress(half(page, 0)), Zstd.compress(half(page, 1)));
    }
  },
  ZSTD_EMPTY_FIRST(CompressionCodecName.ZSTD, false) {
    @Override
    public byte[] of(byte[] page) {
      return joined(Zstd.compress(new byte[0]), Zstd.compress(page));
    }
  },
  ZSTD_EMPTY_LAST(CompressionCodecName.ZSTD, false) {
    @Override
    public byte[] of(byte[] page) {
      return joined(Zstd.compress(page), Zstd.compress(new byte[0]));
    }
  },
  ZSTD_SKIPPABLE_LAST(CompressionCodecName.ZSTD, false) {
    @Override
    public byte[] of(byte[] page) {
      return joined(Zstd.compress(page), skippable());
    }
  },
  ZSTD_SKIPPABLE_FIRST(CompressionCodecName.ZSTD, false) {
    @Override
    public byte[] of(byte[] page) {
      return joined(skippable(), Zstd.compress(page));
    }
  },
  SNAPPY_BLOCK(CompressionCodecName.SNAPPY, true) {
    @Override
    public byte[] of(byte[] page) {
      return snappy(page);
    }
  },
  SNAPPY_BLOCKS(CompressionCodecName.SNAPPY, false) {
    @Override
    public byte[] of(byte[] page) {
      return joined(snappy(half(page, 0)), snappy(half(page, 1)));
    }
  },
  LZ4_BLOCK(CompressionCodecName.LZ4_RAW, true) {
    @Override
    public byte[] of(byte[] page) {
      return lz4(page);
    }
  },
  LZ4_BLOCKS(CompressionCodecName.LZ4_RAW, false) {
    @Override
    public byte[] of(byte[] page) {
      return joined(lz4(half(page, 0)), lz4(half(page, 1)));
    }
  },
  LZ4_EMPTY_FIRST(CompressionCodecName.LZ4_RAW, false) {
    @Override
    public byte[] of(byte[] page) {
      return joined(lz4(new byte[0]), lz4(page));
    }
  },
  LZ4_EMPTY_LAST(CompressionCodecName.LZ4_RAW, false) {
    @Override
    public byte[] of(byte[] page) {
      return joined(lz4(page), lz4(new byte[0]));
    }
  },
  LZ4_FRAMED(CompressionCodecName.LZ4_RAW, false) {
    @Override
    public byte[] of(byte[] page) {
      return hadoopFrame(page.length, lz4(page));
    }
  },
  HADOOP_LZ4_FRAME(CompressionCodecName.LZ4, false) {
    @Override
    public byte[] of(byte[] page) {
      return hadoopFrame(page.length, lz4(page));
    }
  },
  HADOOP_LZ4_BLOCKS(CompressionCodecName.LZ4, false) {
    @Override
    public byte[] of(byte[] page) {
      return hadoopFrame(page.length, lz4(half(page, 0)), lz4(half(page, 1)));
    }
  },
  HADOOP_LZ4_FRAMES(CompressionCodecName.LZ4, false) {
    @Override
    public byte[] of(byte[] page) {
      byte[] second = half(page, 1);
      return joined(
          hadoopFrame(page.length - second.length, lz4(half(page, 0))),
          hadoopFrame(second.length, lz4(half(second, 0)), lz4(half(second, 1))));
    }
  },
  HADOOP_LZ4_WITHOUT_FRAME(CompressionCodecName.LZ4, false) {
    @Override
    public byte[] of(byte[] page) {
      return lz4(page);
    }
  };

  private final CompressionCodecName codec;
  private final boolean plain;

  CompressedForms(CompressionCodecName codec, boolean plain) {
    this.codec = codec;
    this.plain = plain;
  }

  public CompressionCodecName codec() {
    return codec;
  }

  /** Whether it is one stream of the codec, without anything that is rare. */
  public boolean isPlain() {
    return plain;
  }

  /** The bytes of a page. */
  public abstract byte[] of(byte[] page);

  private static byte[] half(byte[] page, int which) {
    int middle = page.length / 2;
    return which == 0 ? Arrays.copyOf(page, middle) : Arrays.copyOfRange(page, middle, page.length);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }

  private static byte[] skippable() {
    return ByteBuffer.allocate(12)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(0x184d2a50)
        .putInt(4)
        .putInt(7)
        .array();
  }

  private static byte[] snappy(byte[] page) {
    try {
      return Snappy.compress(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] lz4(byte[] page) {
    return LZ4Factory.safeInstance().fastCompressor().compress(page);
  }

  /** A frame of Hadoop's block codecs: its length when decompressed, then each block's length. */
  private static byte[] hadoopFrame(int uncompressed, byte[]... blocks) {
    int lengths = Stream.of(blocks).mapToInt(block -> Integer.BYTES + block.length).sum();
    ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + lengths).putInt(uncompressed);
    Stream.of(blocks).forEach(block -> frame.putInt(block.length).put(block));
    return frame.array();
  }
}

package io.mooring.parquet.prune;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.source.FileBytes;
import io.mooring.parquet.thrift.ThriftCheck;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.jspecify.annotations.Nullable;

/**
 * The Bloom filters of a file, each read with its header at once where the footer tells what lies
 * behind it. Belongs to one thread.
 */
final class BloomFilters {
  // A header takes a few dozen bytes.
  private static final int HEADER_BYTES = 256;
  // Writers make filters of at most 1 MiB by default, and parquet-mr reads none above 128 MiB.
  private static final int MOST_AT_ONCE = (1 << 20) + HEADER_BYTES;

  private static final int BLOCK_BYTES = BlockSplitBloomFilter.LOWER_BOUND_BYTES;

  private final FileBytes in;
  private final long fileLength;
  private final List<BlockMetaData> rowGroups;

  BloomFilters(FileBytes in, long fileLength, Footer footer) {
    this.in = in;
    this.fileLength = fileLength;
    this.rowGroups = footer.rowGroups();
  }

  /**
   * The filter of a chunk that has one; null where it is of a kind that parquet-mr does not use, or
   * its size is wrong.
   *
   * @throws IOException when it cannot be read, or lies outside the file
   */
  @Nullable BloomFilter read(int rowGroup, ColumnChunkMetaData chunk) throws IOException {
    long start = chunk.getBloomFilterOffset();
    if (start >= fileLength) {
      throw new IOException("A Bloom filter lies outside the file");
    }
    byte[] bytes = bytes(start, length(rowGroup, start));
    ThriftCheck.check(bytes);
    ByteArrayInputStream stream = new ByteArrayInputStream(bytes);
    BloomFilterHeader header = Util.readBloomFilterHeader(stream);
    int from = bytes.length - stream.available();
    int size = header.getNumBytes();
    if (!isUsed(header) || size > fileLength - start - from) {
      return null;
    }
    byte[] own =
        size <= bytes.length - from
            ? Arrays.copyOfRange(bytes, from, from + size)
            : bytes(start + from, size);
    return new BlockSplitBloomFilter(own);
  }

  /** Whether parquet-mr uses such a filter too. */
  private static boolean isUsed(BloomFilterHeader header) {
    return header.getNumBytes() > 0
        && header.getNumBytes() % BLOCK_BYTES == 0
        && header.getNumBytes() <= BlockSplitBloomFilter.UPPER_BOUND_BYTES
        && header.isSetAlgorithm()
        && header.getAlgorithm().isSetBLOCK()
        && header.isSetHash()
        && header.getHash().isSetXXHASH()
        && header.isSetCompression()
        && header.getCompression().isSetUNCOMPRESSED();
  }

  /**
   * The bytes from a filter to what the footer says comes next. Writers put the filters of a row
   * group next to each other, before those of the next one, and page indexes behind all.
   */
  private long length(int rowGroup, long start) {
    BlockMetaData next = rowGroups.get(Math.min(rowGroup + 1, rowGroups.size() - 1));
    long end =
        LongStream.concat(
                Stream.of(rowGroups.get(rowGroup), next, rowGroups.get(0))
                    .flatMap(block -> block.getColumns().stream())
                    .flatMapToLong(BloomFilters::places),
                LongStream.of(next.getStartingPos()))
            .filter(place -> place > start)
            .min()
            .orElse(0);
    return Math.max(HEADER_BYTES, Math.min(MOST_AT_ONCE, end - start));
  }

  private static LongStream places(ColumnChunkMetaData chunk) {
    IndexReference columns = chunk.getColumnIndexReference();
    IndexReference offsets = chunk.getOffsetIndexReference();
    return LongStream.of(
        chunk.getBloomFilterOffset(),
        columns == null ? 0 : columns.getOffset(),
        offsets == null ? 0 : offsets.getOffset());
  }

  private byte[] bytes(long start, long most) throws IOException {
    return in.read(start, (int) Math.min(most, fileLength - start));
  }
}

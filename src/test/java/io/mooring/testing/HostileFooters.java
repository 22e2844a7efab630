package io.mooring.testing;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.parquet.format.BloomFilterAlgorithm;
import org.apache.parquet.format.BloomFilterCompression;
import org.apache.parquet.format.BloomFilterHash;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.SplitBlockAlgorithm;
import org.apache.parquet.format.Uncompressed;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.XxHash;

/** Files whose footers are made to harm who believes them. */
public final class HostileFooters {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final int TRAILER_BYTES = Integer.BYTES + MAGIC.length;
  private static final long[] EXTREMES = {
    Long.MIN_VALUE,
    Long.MAX_VALUE,
    Long.MAX_VALUE / 2 + 1,
    Long.MAX_VALUE / 8,
    -1,
    0,
    1,
    1L << 50,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 31,
    1L << 32
  };
  // In the compact protocol: a list of structs with a long size, the size, and lists of others.
  private static final byte[] HUGE = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7};
  private static final byte[] LISTS = {
    (byte) 0xfc, (byte) 0xf0, (byte) 0xf1, (byte) 0xf8, (byte) 0xf9
  };

  private final byte[] pages;
  private final byte[] footer;

  /** Takes the bytes of a good file. */
  public HostileFooters(byte[] file) {
    int footerBytes = little(file).getInt(file.length - TRAILER_BYTES);
    int footerStart = file.length - TRAILER_BYTES - footerBytes;
    this.pages = Arrays.copyOf(file, footerStart);
    this.footer = Arrays.copyOfRange(file, footerStart, file.length - TRAILER_BYTES);
  }

  private HostileFooters(byte[] pages, byte[] footer) {
    this.pages = pages;
    this.footer = footer;
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The pages with another footer behind them. */
  public byte[] withFooter(byte[] thrift) {
    return ByteBuffer.allocate(pages.length + thrift.length + TRAILER_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(pages)
        .put(thrift)
        .putInt(thrift.length)
        .put(MAGIC)
        .array();
  }

  /** A file of any of the kinds below. */
  public byte[] any(Random random) throws IOException {
    return switch (random.nextInt(6)) {
      case 0 -> withFooter(lyingSize(random));
      case 1 -> withFooter(nested(random, 1 + random.nextInt(300_000)));
      case 2 -> withFooter(deepSchema(1 + random.nextInt(100_000), random));
      case 3 -> withLyingLength(random);
      default -> withFooter(extremeNumbers(random));
    };
  }

  private byte[] withLyingLength(Random random) {
    byte[] file = withFooter(footer);
    little(file).putInt(file.length - TRAILER_BYTES, (int) extreme(random));
    return file;
  }

  /** A list, set, map or text somewhere that says that it is huge. */
  public byte[] lyingSize(Random random) {
    byte[] lying = footer.clone();
    int at = random.nextInt(lying.length - 1 - HUGE.length);
    lying[at] = LISTS[random.nextInt(LISTS.length)];
    System.arraycopy(HUGE, 0, lying, at + 1, HUGE.length);
    return lying;
  }

  /** Structs or lists in each other, in a field that nobody knows. */
  public static byte[] nested(Random random, int depth) {
    byte[] bytes = new byte[depth];
    // A field of type struct, or a list of one list.
    Arrays.fill(bytes, random.nextBoolean() ? (byte) 0x1c : (byte) 0x19);
    return bytes;
  }

  /** Groups in each other, and many columns in the innermost. */
  public byte[] deepSchema(int depth, Random random) throws IOException {
    FileMetaData file = parsed();
    List<SchemaElement> schema = new ArrayList<>();
    for (int i = 0; i < depth; i++) {
      schema.add(new SchemaElement("g").setNum_children(1));
    }
    int columns = 1 + random.nextInt(1000);
    schema.get(depth - 1).setNum_children(columns);
    SchemaElement column = file.getSchema().get(1);
    for (int i = 0; i < columns; i++) {
      schema.add(new SchemaElement(column).setName("c" + i));
    }
    return written(file.setSchema(schema));
  }

  /** A footer in which some of the numbers that a reader computes with are extreme. */
  public byte[] extremeNumbers(Random random) throws IOException {
    FileMetaData file = parsed();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      RowGroup rowGroup = file.getRow_groups().get(random.nextInt(file.getRow_groupsSize()));
      ColumnChunk chunk = rowGroup.getColumns().get(random.nextInt(rowGroup.getColumnsSize()));
      change(file, rowGroup, chunk.getMeta_data(), random);
    }
    return written(file);
  }

  private static void change(
      FileMetaData file, RowGroup rowGroup, ColumnMetaData chunk, Random random) {
    long extreme = extreme(random);
    switch (random.nextInt(11)) {
      case 0 -> rowGroup.setNum_rows(extreme);
      case 1 -> rowGroup.setTotal_byte_size(extreme).setTotal_compressed_size(extreme);
      case 2 -> chunk.setNum_values(extreme);
      case 3 -> chunk.setTotal_compressed_size(extreme);
      case 4 -> chunk.setTotal_uncompressed_size(extreme);
      case 5 -> chunk.setData_page_offset(extreme);
      case 6 -> chunk.setDictionary_page_offset(extreme);
      case 7 -> file.getSchema().get(0).setNum_children((int) extreme);
      case 8 ->
          rowGroup.setColumns(
              Collections.nCopies(random.nextInt(2000), rowGroup.getColumns().get(0)));
      case 9 -> everyChunk(file, each -> each.setTotal_uncompressed_size(Long.MAX_VALUE));
      default -> chunk.setBloom_filter_offset(extreme);
    }
  }

  private static void everyChunk(FileMetaData file, Consumer<ColumnMetaData> change) {
    file.getRow_groups().stream()
        .flatMap(rowGroup -> rowGroup.getColumns().stream())
        .map(ColumnChunk::getMeta_data)
        .forEach(change);
  }

  private static long extreme(Random random) {
    return EXTREMES[random.nextInt(EXTREMES.length)];
  }

  /** A file whose dictionary pages have headers with these sizes and this number of values. */
  public byte[] withDictionaries(int compressed, int uncompressed, int values) throws IOException {
    PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, uncompressed, compressed);
    header.setDictionary_page_header(new DictionaryPageHeader(values, Encoding.PLAIN));
    byte[] file = withFooter(footer);
    everyChunk(
        parsed(),
        chunk -> {
          if (chunk.isSetDictionary_page_offset()) {
            byte[] bytes = bytes(out -> Util.writePageHeader(header, out));
            System.arraycopy(bytes, 0, file, (int) chunk.getDictionary_page_offset(), bytes.length);
          }
        });
    return file;
  }

  /** A file in which all column chunks share one Bloom filter, whose header states this size. */
  public byte[] withBloomFilters(int size) throws IOException {
    BloomFilterHeader header =
        new BloomFilterHeader(
            size,
            BloomFilterAlgorithm.BLOCK(new SplitBlockAlgorithm()),
            BloomFilterHash.XXHASH(new XxHash()),
            BloomFilterCompression.UNCOMPRESSED(new Uncompressed()));
    FileMetaData file = parsed();
    everyChunk(file, chunk -> chunk.setBloom_filter_offset(pages.length));
    byte[] bloom = bytes(out -> Util.writeBloomFilterHeader(header, out));
    ByteArrayOutputStream behind = new ByteArrayOutputStream();
    behind.write(pages);
    behind.write(bloom);
    return new HostileFooters(behind.toByteArray(), footer).withFooter(written(file));
  }

  private interface Writing {
    void to(OutputStream out) throws IOException;
  }

  private static byte[] bytes(Writing writing) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      writing.to(out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the good footer says. */
  public FileMetaData parsed() throws IOException {
    return Util.readFileMetaData(new ByteArrayInputStream(footer));
  }

  /** The bytes of a footer. */
  public static byte[] written(FileMetaData file) {
    return bytes(out -> Util.writeFileMetaData(file, out));
  }
}

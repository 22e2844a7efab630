package io.mooring.parquet.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Files of random values in small pages, with all that a writer of parquet-mr can vary. */
public final class PagedFiles {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message m {
            required int64 key; required double measure; required boolean on; required float share;
            required int32 count; required int64 sum; required binary name (UTF8);
            required int96 time; required fixed_len_byte_array(5) price (DECIMAL(11, 2));
            optional boolean flag;
            optional int32 number; optional int64 big; optional float ratio; optional double real;
            optional binary text (UTF8); optional int96 moment;
            optional fixed_len_byte_array(5) amount (DECIMAL(11, 2));
            optional group nested { optional int32 inner; }
            repeated int32 many;
          }
          """);
  private static final CompressionCodecName[] CODECS = {
    CompressionCodecName.UNCOMPRESSED,
    CompressionCodecName.SNAPPY,
    CompressionCodecName.GZIP,
    CompressionCodecName.ZSTD,
    CompressionCodecName.LZ4_RAW
  };

  private PagedFiles() {}

  public static void write(Path path, Random random) throws IOException {
    write(path, random, 2_000);
  }

  /** Writes a file as {@link #write(Path, Random)} does, of at most so many rows. */
  public static void write(Path path, Random random, int mostRows) throws IOException {
    int rows = 1 + random.nextInt(mostRows);
    var builder =
        builder(path, random)
            .withRowGroupSize((long) (1 << (12 + random.nextInt(8))))
            .withPageSize(64 << random.nextInt(8))
            .withMinRowCountForPageSizeCheck(1)
            .withMaxRowCountForPageSizeCheck(1 + random.nextInt(20))
            .withPageRowCountLimit(1 + random.nextInt(200));
    write(builder, rows, 1 + random.nextInt(rows), random);
  }

  /** Writes a file with many pages that are larger than what can stand for them. */
  public static void writeLarge(Path path, Random random) throws IOException {
    var builder =
        builder(path, random)
            .withMinRowCountForPageSizeCheck(100)
            .withMaxRowCountForPageSizeCheck(100)
            .withPageRowCountLimit(500);
    // Few values: a dictionary is read as a whole.
    write(builder, 10_000, 20 + random.nextInt(50), random);
  }

  /** A reader of what parquet-mr itself knows of a file. */
  public static ParquetFileReader reader(Path path) throws IOException {
    return ParquetFileReader.open(
        HadoopInputFile.fromPath(new org.apache.hadoop.fs.Path(path.toUri()), ParquetFiles.CONF));
  }

  private static void write(
      ExampleParquetWriter.Builder builder, int rows, int values, Random random)
      throws IOException {
    try (ParquetWriter<Group> writer = builder.build()) {
      for (int i = 0; i < rows; i++) {
        writer.write(row(i, random, values));
      }
    }
  }

  private static ExampleParquetWriter.Builder builder(Path path, Random random) {
    return ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(path.toUri()))
        .withType(SCHEMA)
        .withConf(ParquetFiles.CONF)
        .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
        .withDictionaryEncoding(random.nextBoolean())
        .withWriterVersion(
            random.nextBoolean() ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0)
        .withCompressionCodec(CODECS[random.nextInt(CODECS.length)]);
  }

  private static Group row(int index, Random random, int values) {
    Group row = new SimpleGroupFactory(SCHEMA).newGroup();
    int value = random.nextInt(values);
    row.append("key", (long) index).append("measure", value / 9.0).append("on", value % 3 == 0);
    row.append("share", value / 5f).append("count", value).append("sum", 7L * value);
    row.append("name", "name " + value).append("time", moment(value));
    row.append("price", amount(value));
    for (String column :
        new String[] {"flag", "number", "big", "ratio", "real", "text", "moment"}) {
      if (random.nextInt(5) > 0) {
        add(row, column, random.nextInt(values));
      }
    }
    if (index % 3 > 0) {
      row.append("amount", amount(value));
    }
    if (random.nextBoolean()) {
      row.addGroup("nested").append("inner", index);
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      row.append("many", i);
    }
    return row;
  }

  private static void add(Group row, String column, int value) {
    switch (column) {
      case "flag" -> row.append(column, value % 2 == 0);
      case "number" -> row.append(column, value);
      case "big" -> row.append(column, 1_000_003L * value);
      case "ratio" -> row.append(column, value / 7f);
      case "real" -> row.append(column, value / 3.0);
      case "text" -> row.append(column, "value " + value);
      default -> row.append(column, moment(value));
    }
  }

  private static Binary amount(int value) {
    return Binary.fromConstantByteArray(new byte[] {0, 0, 0, (byte) (value >>> 8), (byte) value});
  }

  private static Binary moment(int value) {
    byte[] bytes = new byte[12];
    bytes[0] = (byte) value;
    bytes[1] = (byte) (value >>> 8);
    bytes[9] = 0x60;
    return Binary.fromConstantByteArray(bytes);
  }
}

package io.mooring.parquet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Files of random values in small pages, with all that a writer of parquet-mr can vary. */
final class PagedFiles {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message m {
            required int64 key; required double measure; optional boolean flag;
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
    CompressionCodecName.ZSTD
  };

  private PagedFiles() {}

  static void write(Path path, Random random) throws IOException {
    int rows = 1 + random.nextInt(2_000);
    int values = 1 + random.nextInt(rows);
    try (ParquetWriter<Group> writer = writer(path, random)) {
      for (int i = 0; i < rows; i++) {
        writer.write(row(i, random, values));
      }
    }
  }

  private static ParquetWriter<Group> writer(Path path, Random random) throws IOException {
    return ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(path.toUri()))
        .withType(SCHEMA)
        .withConf(ParquetFiles.CONF)
        .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
        .withRowGroupSize((long) (1 << (12 + random.nextInt(8))))
        .withPageSize(64 << random.nextInt(8))
        .withMinRowCountForPageSizeCheck(1)
        .withMaxRowCountForPageSizeCheck(1 + random.nextInt(20))
        .withPageRowCountLimit(1 + random.nextInt(200))
        .withDictionaryEncoding(random.nextBoolean())
        .withWriterVersion(
            random.nextBoolean() ? WriterVersion.PARQUET_1_0 : WriterVersion.PARQUET_2_0)
        .withCompressionCodec(CODECS[random.nextInt(CODECS.length)])
        .build();
  }

  private static Group row(int index, Random random, int values) {
    Group row = new SimpleGroupFactory(SCHEMA).newGroup();
    row.append("key", (long) index).append("measure", random.nextGaussian());
    for (String column :
        new String[] {"flag", "number", "big", "ratio", "real", "text", "moment"}) {
      if (random.nextInt(5) > 0) {
        add(row, column, random.nextInt(values));
      }
    }
    row.append("amount", Binary.fromConstantByteArray(new byte[] {0, 0, 0, (byte) index, 1}));
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

  private static Binary moment(int value) {
    byte[] bytes = new byte[12];
    bytes[0] = (byte) value;
    bytes[9] = 0x60;
    return Binary.fromConstantByteArray(bytes);
  }
}

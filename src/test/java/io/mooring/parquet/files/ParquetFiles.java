package io.mooring.parquet.files;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.FooterCache;
import io.mooring.parquet.footer.UnreadableOnGpuException;
import io.mooring.parquet.source.ParquetFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Small files with several row groups. */
public final class ParquetFiles {
  public static final Configuration CONF = new Configuration();
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { required int64 id; required int64 other; optional binary text (UTF8); }");

  private ParquetFiles() {}

  /** Writes {@code rows} rows into plain row groups of about {@code rowGroupBytes} bytes. */
  public static ParquetFile write(Path path, int rows, long rowGroupBytes) throws IOException {
    return write(path, rows, rowGroupBytes, false, CompressionCodecName.UNCOMPRESSED);
  }

  /** Writes a file with or without dictionaries, compressed. */
  public static ParquetFile write(
      Path path, int rows, long rowGroupBytes, boolean dictionary, CompressionCodecName codec)
      throws IOException {
    int pageRows = ParquetProperties.DEFAULT_PAGE_ROW_COUNT_LIMIT;
    return write(path, rows, rowGroupBytes, dictionary, codec, WriterVersion.PARQUET_1_0, pageRows);
  }

  /** Writes a file with pages of a version and of at most so many rows. */
  public static ParquetFile write(
      Path path,
      int rows,
      long rowGroupBytes,
      boolean dictionary,
      CompressionCodecName codec,
      WriterVersion version,
      int pageRows)
      throws IOException {
    var factory = new SimpleGroupFactory(SCHEMA);
    try (ParquetWriter<org.apache.parquet.example.data.Group> writer =
        ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(path.toUri()))
            .withType(SCHEMA)
            .withConf(CONF)
            .withRowGroupSize(rowGroupBytes)
            .withPageSize(1024)
            .withMinRowCountForPageSizeCheck(10)
            .withDictionaryEncoding(dictionary)
            .withCompressionCodec(codec)
            .withWriterVersion(version)
            .withPageRowCountLimit(pageRows)
            .build()) {
      for (int i = 0; i < rows; i++) {
        writer.write(
            factory
                .newGroup()
                .append("id", (long) i)
                .append("other", 31L * i)
                .append("text", "row " + i));
      }
    }
    return at(path);
  }

  /** The file as a listing gives it. */
  public static ParquetFile at(Path path) throws IOException {
    return new ParquetFile(
        path.toUri().toString(), Files.size(path), Files.getLastModifiedTime(path).toMillis());
  }

  /** What Mooring reads of its end. */
  public static Footer footer(Path path) throws IOException, UnreadableOnGpuException {
    return FooterCache.shared().footer(at(path), CONF);
  }

  /** A footer with other metadata. */
  public static Footer footer(Footer footer, FileMetaData other) throws IOException {
    return new Footer(
        footer.thrift(),
        new ParquetMetadataConverter().fromParquetMetadata(other),
        footer.middles());
  }
}

package io.mooring.parquet.footer;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * A footer of some columns of a file, of nested ones only the leaves that are read, with the schema
 * by which they are decoded. Row groups keep their numbers. It has no key-value metadata.
 */
public final class NarrowedFooter {
  private final MessageType schema;
  private final List<ColumnPath> leaves;

  private NarrowedFooter(List<ProjectedColumn> columns) {
    List<Type> types = columns.stream().map(ProjectedColumn::type).toList();
    this.schema = new MessageType("schema", types);
    this.leaves = columns.stream().flatMap(column -> column.leaves().stream()).toList();
  }

  /**
   * Narrows a footer.
   *
   * @param columns in the order in which they are decoded
   * @throws UnreadableOnGpuException when a row group lacks one of their leaves
   */
  public static Footer of(Footer footer, List<ProjectedColumn> columns) throws UnreadableOnGpuException {
    try {
      return new NarrowedFooter(columns).of(footer);
    } catch (IOException e) {
      throw new UnreadableOnGpuException("the footer cannot be parsed", e);
    }
  }

  private Footer of(Footer footer) throws IOException, UnreadableOnGpuException {
    FileMetaData file = Util.readFileMetaData(new ByteArrayInputStream(footer.thrift()));
    List<RowGroup> rowGroups = new ArrayList<>();
    for (RowGroup rowGroup : file.getRow_groups()) {
      rowGroups.add(narrowed(rowGroup));
    }
    FileMetaData narrowed =
        new FileMetaData(file.getVersion(), elements(), file.getNum_rows(), rowGroups);
    narrowed.setCreated_by(file.getCreated_by());
    ByteArrayOutputStream thrift = new ByteArrayOutputStream();
    Util.writeFileMetaData(narrowed, thrift);
    return new Footer(
        thrift.toByteArray(),
        new ParquetMetadataConverter().fromParquetMetadata(narrowed),
        footer.middles());
  }

  private List<SchemaElement> elements() {
    var metadata = new org.apache.parquet.hadoop.metadata.FileMetaData(schema, Map.of(), null);
    return new ParquetMetadataConverter()
        .toParquetMetadata(1, new ParquetMetadata(metadata, List.of()))
        .getSchema();
  }

  private RowGroup narrowed(RowGroup rowGroup) throws UnreadableOnGpuException {
    Map<ColumnPath, ColumnChunk> chunks = new HashMap<>();
    for (ColumnChunk chunk : rowGroup.getColumns()) {
      chunks.put(path(chunk.getMeta_data().getPath_in_schema()), chunk);
    }
    List<ColumnChunk> kept = new ArrayList<>();
    long bytes = 0;
    Iterator<String[]> paths = schema.getPaths().iterator();
    for (ColumnPath leaf : leaves) {
      ColumnChunk chunk = chunks.get(leaf);
      if (chunk == null) {
        throw new UnreadableOnGpuException("a row group lacks columns of the schema");
      }
      chunk.getMeta_data().setPath_in_schema(List.of(paths.next()));
      bytes += chunk.getMeta_data().getTotal_uncompressed_size();
      kept.add(chunk);
    }
    return new RowGroup(kept, bytes, rowGroup.getNum_rows());
  }

  private static ColumnPath path(List<String> names) {
    return ColumnPath.get(names.toArray(String[]::new));
  }
}

package io.mooring.parquet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.schema.MessageType;

/**
 * The footer of a file sequence: the first file's schema and every unit's row groups, of both only
 * the wanted columns, with offsets that are addresses in the sequence. It has no statistics, no
 * page index and no key-value metadata.
 */
final class CoalescedFooter {
  private final List<String> columns;
  private final List<RowGroup> rowGroups = new ArrayList<>();
  private long rows;

  private CoalescedFooter(List<String> columns) {
    this.columns = columns;
  }

  static Footer of(List<ReadUnit> units, FileSequence files) throws IOException {
    try {
      CoalescedFooter coalesced = new CoalescedFooter(units.get(0).columns());
      List<String[]> leaves = coalesced.leaves(units.get(0).footer().schema());
      List<SchemaElement> schema = List.of();
      for (int i = 0; i < units.size(); i++) {
        FileMetaData file = parsed(units.get(i));
        schema = i == 0 ? coalesced.narrowed(file.getSchema()) : schema;
        coalesced.add(file, units.get(i).rowGroups(), leaves, files.starts().get(i));
      }
      return coalesced.footer(schema, units.get(0));
    } catch (RuntimeException e) {
      throw new IOException("The footers of " + files + " cannot be written as one", e);
    }
  }

  private static FileMetaData parsed(ReadUnit unit) throws IOException {
    return Util.readFileMetaData(new ByteArrayInputStream(unit.footer().thrift()));
  }

  /** The root and the wanted columns with all that is below them. */
  private List<SchemaElement> narrowed(List<SchemaElement> schema) {
    List<SchemaElement> kept = new ArrayList<>();
    kept.add(new SchemaElement(schema.get(0)).setNum_children(columns.size()));
    int below = 0;
    boolean wanted = false;
    for (SchemaElement element : schema.subList(1, schema.size())) {
      wanted = below == 0 ? columns.contains(element.getName()) : wanted;
      if (wanted) {
        kept.add(element);
      }
      below += element.getNum_children() - (below > 0 ? 1 : 0);
    }
    return kept;
  }

  /** Where the wanted columns' leaves are, in the schema's order. */
  private List<String[]> leaves(MessageType schema) {
    return schema.getPaths().stream().filter(path -> columns.contains(path[0])).toList();
  }

  private void add(FileMetaData file, int[] indices, List<String[]> leaves, long start) {
    for (int index : indices) {
      RowGroup old = file.getRow_groups().get(index);
      List<ColumnChunk> moved = new ArrayList<>();
      long bytes = 0;
      for (String[] leaf : leaves) {
        ColumnMetaData chunk = moved(chunk(old, List.of(leaf)), start);
        moved.add(new ColumnChunk(0).setMeta_data(chunk));
        bytes += chunk.getTotal_uncompressed_size();
      }
      rowGroups.add(new RowGroup(moved, bytes, old.getNum_rows()));
      rows += old.getNum_rows();
    }
  }

  private static ColumnMetaData chunk(RowGroup rowGroup, List<String> leaf) {
    return rowGroup.getColumns().stream()
        .map(ColumnChunk::getMeta_data)
        .filter(chunk -> chunk.getPath_in_schema().equals(leaf))
        .findFirst()
        .orElseThrow();
  }

  private static ColumnMetaData moved(ColumnMetaData old, long start) {
    ColumnMetaData chunk = new ColumnMetaData(old);
    chunk.setData_page_offset(old.getData_page_offset() + start);
    // Some writers say 0 where they mean that there is none.
    if (old.isSetDictionary_page_offset() && old.getDictionary_page_offset() > 0) {
      chunk.setDictionary_page_offset(old.getDictionary_page_offset() + start);
    } else {
      chunk.unsetDictionary_page_offset();
    }
    chunk.unsetIndex_page_offset();
    chunk.unsetBloom_filter_offset();
    chunk.unsetStatistics();
    return chunk;
  }

  private Footer footer(List<SchemaElement> schema, ReadUnit first) throws IOException {
    FileMetaData file = new FileMetaData(1, schema, rows, rowGroups);
    file.setCreated_by(first.footer().metadata().getFileMetaData().getCreatedBy());
    ByteArrayOutputStream thrift = new ByteArrayOutputStream();
    Util.writeFileMetaData(file, thrift);
    return new Footer(
        thrift.toByteArray(),
        new ParquetMetadataConverter().fromParquetMetadata(file),
        new long[0]);
  }
}

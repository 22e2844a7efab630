package io.mooring.parquet.footer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.schema.MessageType;

/**
 * A footer of some columns alone, of row groups whose bytes are elsewhere than their own footers
 * say. It has no statistics, no page index and no key-value metadata. Not thread-safe.
 */
public final class MovedFooter {
  private final List<String> columns;
  private final List<String[]> leaves;
  private final FileMetaData moved;

  /**
   * A footer without row groups.
   *
   * @param file whose schema and writer it has
   * @param schema of that file
   * @param columns top-level ones as the file spells them
   */
  public MovedFooter(FileMetaData file, MessageType schema, List<String> columns) {
    this.columns = columns;
    this.leaves = schema.getPaths().stream().filter(path -> columns.contains(path[0])).toList();
    this.moved = new FileMetaData(1, narrowed(file.getSchema()), 0, new ArrayList<>());
    moved.setCreated_by(file.getCreated_by());
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

  /**
   * Adds a row group.
   *
   * @param shift how many bytes further on a chunk is; asked once for each, in the schema's order
   */
  public void add(RowGroup old, ToLongFunction<ColumnMetaData> shift) {
    List<ColumnChunk> chunks = new ArrayList<>();
    long bytes = 0;
    for (String[] leaf : leaves) {
      ColumnMetaData chunk = chunk(old, List.of(leaf));
      chunks.add(new ColumnChunk(0).setMeta_data(moved(chunk, shift.applyAsLong(chunk))));
      bytes += chunk.getTotal_uncompressed_size();
    }
    moved.addToRow_groups(new RowGroup(chunks, bytes, old.getNum_rows()));
    moved.setNum_rows(moved.getNum_rows() + old.getNum_rows());
  }

  private static ColumnMetaData chunk(RowGroup rowGroup, List<String> leaf) {
    return rowGroup.getColumns().stream()
        .map(ColumnChunk::getMeta_data)
        .filter(chunk -> chunk.getPath_in_schema().equals(leaf))
        .findFirst()
        .orElseThrow();
  }

  private static ColumnMetaData moved(ColumnMetaData old, long shift) {
    ColumnMetaData chunk = new ColumnMetaData(old);
    chunk.setData_page_offset(old.getData_page_offset() + shift);
    // Some writers say 0 where they mean that there is none.
    if (old.isSetDictionary_page_offset() && old.getDictionary_page_offset() > 0) {
      chunk.setDictionary_page_offset(old.getDictionary_page_offset() + shift);
    } else {
      chunk.unsetDictionary_page_offset();
    }
    chunk.unsetIndex_page_offset();
    chunk.unsetBloom_filter_offset();
    chunk.unsetStatistics();
    return chunk;
  }

  /** The footer with what was added so far. */
  public FileMetaData metadata() {
    return moved;
  }
}

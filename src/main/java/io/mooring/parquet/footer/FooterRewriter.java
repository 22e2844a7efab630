package io.mooring.parquet.footer;

import io.mooring.parquet.pageskip.SparseColumnChunk;
import io.mooring.parquet.source.FileRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
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
 * Rewrites a footer for a decoder: projects it to some columns, resizes column chunks that skip
 * pages, or moves row groups to where their bytes are put. Parses the Thrift bytes once. Not
 * thread-safe.
 */
public final class FooterRewriter {
  private final FileMetaData file;
  private final List<List<String>> leaves;

  /**
   * Parses a footer.
   *
   * @throws IOException when it cannot be parsed
   */
  public FooterRewriter(Footer footer) throws IOException {
    this(
        Util.readFileMetaData(new ByteArrayInputStream(footer.thrift())),
        footer.schema().getPaths().stream().map(List::of).toList());
  }

  private FooterRewriter(FileMetaData file, List<List<String>> leaves) {
    this.file = file;
    this.leaves = leaves;
  }

  /**
   * Projects a footer to some columns with the types by which they are decoded. Row groups keep
   * their numbers; key-value metadata is dropped.
   *
   * @param columns in the order in which they are decoded
   * @throws UnreadableOnGpuException when a row group lacks a leaf of theirs
   */
  public static Footer project(Footer footer, List<ProjectedColumn> columns)
      throws UnreadableOnGpuException {
    try {
      return new FooterRewriter(footer).projected(columns).footer(footer.middles());
    } catch (IOException e) {
      throw new UnreadableOnGpuException("the footer cannot be parsed", e);
    }
  }

  private FooterRewriter projected(List<ProjectedColumn> columns) throws UnreadableOnGpuException {
    List<Type> types = columns.stream().map(ProjectedColumn::type).toList();
    MessageType schema = new MessageType("schema", types);
    List<ColumnPath> stored = columns.stream().flatMap(c -> c.leaves().stream()).toList();
    List<List<String>> decoded = schema.getPaths().stream().map(List::of).toList();
    List<RowGroup> rowGroups = new ArrayList<>();
    for (RowGroup rowGroup : file.getRow_groups()) {
      rowGroups.add(projected(rowGroup, stored, decoded));
    }
    FileMetaData projected =
        new FileMetaData(file.getVersion(), elements(schema), file.getNum_rows(), rowGroups);
    projected.setCreated_by(file.getCreated_by());
    return new FooterRewriter(projected, decoded);
  }

  private static List<SchemaElement> elements(MessageType schema) {
    var metadata = new org.apache.parquet.hadoop.metadata.FileMetaData(schema, Map.of(), null);
    return new ParquetMetadataConverter()
        .toParquetMetadata(1, new ParquetMetadata(metadata, List.of()))
        .getSchema();
  }

  private static RowGroup projected(
      RowGroup rowGroup, List<ColumnPath> stored, List<List<String>> decoded)
      throws UnreadableOnGpuException {
    Map<ColumnPath, ColumnChunk> chunks = new HashMap<>();
    for (ColumnChunk chunk : rowGroup.getColumns()) {
      List<String> path = chunk.getMeta_data().getPath_in_schema();
      chunks.put(ColumnPath.get(path.toArray(String[]::new)), chunk);
    }
    List<ColumnChunk> projected = new ArrayList<>();
    long bytes = 0;
    Iterator<List<String>> paths = decoded.iterator();
    for (ColumnPath leaf : stored) {
      ColumnChunk chunk = chunks.get(leaf);
      if (chunk == null) {
        throw new UnreadableOnGpuException("a row group lacks columns of the schema");
      }
      chunk.getMeta_data().setPath_in_schema(paths.next());
      bytes += chunk.getMeta_data().getTotal_uncompressed_size();
      projected.add(chunk);
    }
    return new RowGroup(projected, bytes, rowGroup.getNum_rows());
  }

  /**
   * Gives column chunks that skip pages the lengths that they have with their placeholder pages,
   * and drops their page indexes.
   *
   * @param chunks by their first bytes in the file
   */
  public void resize(int[] rowGroups, Map<Long, SparseColumnChunk> chunks) {
    for (int index : rowGroups) {
      for (ColumnChunk chunk : file.getRow_groups().get(index).getColumns()) {
        SparseColumnChunk sparse = chunks.get(start(chunk.getMeta_data()));
        if (sparse != null) {
          resize(chunk.getMeta_data(), sparse);
          chunk.unsetOffset_index_offset();
          chunk.unsetOffset_index_length();
          chunk.unsetColumn_index_offset();
          chunk.unsetColumn_index_length();
        }
      }
    }
  }

  private static void resize(ColumnMetaData chunk, SparseColumnChunk sparse) {
    chunk.setTotal_compressed_size(sparse.length());
    if (sparse.dictionaryAdded() > 0) {
      chunk.setDictionary_page_offset(sparse.start());
      chunk.setData_page_offset(sparse.start() + sparse.dictionaryAdded());
    }
  }

  /** The chunk's first byte in the file, which names it. */
  private static long start(ColumnMetaData chunk) {
    long data = chunk.getData_page_offset();
    long dictionary = chunk.getDictionary_page_offset();
    return dictionary > 0 ? Math.min(data, dictionary) : data;
  }

  /**
   * A footer of the same writer with some of the columns and without row groups, for {@link #move}.
   *
   * @param columns top-level ones as the file spells them
   */
  public FooterRewriter withoutRowGroups(List<String> columns) {
    FileMetaData empty = new FileMetaData(1, selected(columns), 0, new ArrayList<>());
    empty.setCreated_by(file.getCreated_by());
    return new FooterRewriter(
        empty, leaves.stream().filter(leaf -> columns.contains(leaf.get(0))).toList());
  }

  /** The schema's root and the selected columns with all that is below them. */
  private List<SchemaElement> selected(List<String> columns) {
    List<SchemaElement> schema = file.getSchema();
    List<SchemaElement> elements = new ArrayList<>();
    elements.add(new SchemaElement(schema.get(0)).setNum_children(columns.size()));
    int below = 0;
    boolean wanted = false;
    for (SchemaElement element : schema.subList(1, schema.size())) {
      wanted = below == 0 ? columns.contains(element.getName()) : wanted;
      if (wanted) {
        elements.add(element);
      }
      below += element.getNum_children() - (below > 0 ? 1 : 0);
    }
    return elements;
  }

  /**
   * Adds a row group of another footer, with its column chunks at other offsets and without
   * statistics and indexes.
   *
   * @param shift gets a chunk's range in the other footer, and returns the number of bytes to add
   *     to its offsets; called once for each chunk, in the schema's order
   */
  public void move(FooterRewriter from, int rowGroup, ToLongFunction<FileRange> shift) {
    RowGroup old = from.file.getRow_groups().get(rowGroup);
    List<ColumnChunk> chunks = new ArrayList<>();
    long bytes = 0;
    for (List<String> leaf : leaves) {
      ColumnMetaData chunk = chunk(old, leaf);
      FileRange range = new FileRange(start(chunk), chunk.getTotal_compressed_size());
      chunks.add(new ColumnChunk(0).setMeta_data(moved(chunk, shift.applyAsLong(range))));
      bytes += chunk.getTotal_uncompressed_size();
    }
    file.addToRow_groups(new RowGroup(chunks, bytes, old.getNum_rows()));
    file.setNum_rows(file.getNum_rows() + old.getNum_rows());
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

  /**
   * The Thrift bytes of the rewritten footer.
   *
   * @throws IOException when the footer lacks a field that the format requires
   */
  public byte[] thrift() throws IOException {
    ByteArrayOutputStream thrift = new ByteArrayOutputStream();
    Util.writeFileMetaData(file, thrift);
    return thrift.toByteArray();
  }

  /**
   * The rewritten footer.
   *
   * @param middles of its row groups in the file; empty where nobody asks for splits
   * @throws IOException when the footer lacks a field that the format requires
   */
  public Footer footer(long[] middles) throws IOException {
    return new Footer(thrift(), new ParquetMetadataConverter().fromParquetMetadata(file), middles);
  }
}

package io.mooring.parquet.verify;

import io.mooring.parquet.source.FileRange;
import java.util.List;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/**
 * A column chunk as its footer has it, of which whole pages are read.
 *
 * @param ranges of the file that hold these and nothing else; none is empty
 * @param rows of the chunk
 * @param rowsSkipped how many of them are in no page that is read
 * @param writer that made the file, as it says
 */
public record ExpectedChunk(
    ColumnChunkMetaData chunk,
    ColumnDescriptor column,
    List<FileRange> ranges,
    long rows,
    long rowsSkipped,
    @Nullable String writer) {

  ChunkTotals totals() {
    boolean flat = column.getMaxRepetitionLevel() == 0;
    return new ChunkTotals(chunk, flat, rows, rowsSkipped, writer);
  }
}

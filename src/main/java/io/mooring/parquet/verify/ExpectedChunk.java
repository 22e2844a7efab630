package io.mooring.parquet.verify;

import io.mooring.parquet.source.FileRange;
import java.util.List;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/**
 * A column chunk as its footer describes it, of which all or some pages are read.
 *
 * @param ranges of the file that hold these pages and nothing else; none is empty
 * @param rows of the chunk
 * @param rowsSkipped how many of them are in skipped pages
 * @param writer of the file, as the footer names it; null if it does not
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

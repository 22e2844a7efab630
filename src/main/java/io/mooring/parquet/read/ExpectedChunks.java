package io.mooring.parquet.read;

import io.mooring.parquet.pageskip.SparseColumnChunk;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.verify.PageChecks;
import io.mooring.parquet.verify.UnitVerification;
import io.mooring.parquet.verify.UnitVerification.ExpectedChunk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;

/** The column chunks of a unit as the footer describes them, for the verification of pages. */
final class ExpectedChunks {
  private final ReadUnit unit;
  private final CachedParts cached;
  private final Set<String> wanted;
  private final Map<ColumnPath, ColumnDescriptor> columns = new HashMap<>();
  private final List<ExpectedChunk> chunks = new ArrayList<>();

  private ExpectedChunks(ReadUnit unit, CachedParts cached) {
    this.unit = unit;
    this.cached = cached;
    this.wanted = Set.copyOf(unit.columns());
  }

  /** Verifies a unit's pages while its pieces are read; those of cached chunks have been. */
  static UnitVerification verification(ReadUnit unit, PageChecks checks, CachedParts cached) {
    ExpectedChunks expectations = new ExpectedChunks(unit, cached);
    if (checks != PageChecks.NONE) {
      for (int rowGroup : unit.rowGroups()) {
        expectations.add(unit.footer().rowGroups().get(rowGroup));
      }
    }
    return new UnitVerification(expectations.chunks, checks, unit.files()::position);
  }

  private void add(BlockMetaData rowGroup) {
    for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
      // Without rows there are no pages, and writers give them any offset.
      boolean isEmpty = rowGroup.getRowCount() == 0 && chunk.getValueCount() == 0;
      if (wanted.contains(chunk.getPath().toArray()[0]) && !isEmpty && !cached.has(chunk)) {
        chunks.add(expected(chunk, rowGroup.getRowCount()));
      }
    }
  }

  private ExpectedChunk expected(ColumnChunkMetaData chunk, long rows) {
    SparseColumnChunk sparse = unit.sparseChunks().get(chunk.getStartingPos());
    return new ExpectedChunk(
        chunk,
        columns.computeIfAbsent(chunk.getPath(), this::column),
        unit.ranges(chunk),
        rows,
        sparse == null ? 0 : sparse.rowsSkipped(),
        unit.footer().metadata().getFileMetaData().getCreatedBy());
  }

  private ColumnDescriptor column(ColumnPath path) {
    return unit.footer().schema().getColumnDescription(path.toArray());
  }
}

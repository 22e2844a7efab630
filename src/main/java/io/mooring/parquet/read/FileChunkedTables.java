package io.mooring.parquet.read;

import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.ParquetChunkedReader;
import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ChunkedDecoding;
import io.mooring.parquet.unit.ReadUnit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.PrimitiveIterator;
import org.jspecify.annotations.Nullable;

/**
 * Tables of a chunked unit, decoded by libcudf's {@link ParquetChunkedReader}, which takes any
 * column but wants files in host memory: what was uploaded and verified is copied back, one row
 * group at a time.
 */
final class FileChunkedTables implements DecodedTables {
  private final UnitUpload upload;
  private final ChunkedDecoding decoding;
  private final PrimitiveIterator.OfInt rowGroups;
  private @Nullable ParquetChunkedReader reader;
  private @Nullable HostMemoryBuffer hostFile;

  /**
   * @param upload whose bytes are on the device; freed once the last row group has been copied
   */
  FileChunkedTables(UnitUpload upload, ChunkedDecoding decoding) {
    this.upload = upload;
    this.decoding = decoding;
    ReadUnit unit = upload.unit();
    this.rowGroups =
        Arrays.stream(unit.rowGroups())
            .filter(index -> unit.footer().rowGroups().get(index).getRowCount() > 0)
            .iterator();
  }

  @Override
  public @Nullable Table next() {
    ParquetChunkedReader open = reader;
    while (open == null || !open.hasNext()) {
      close();
      if (!rowGroups.hasNext()) {
        return null;
      }
      open = start(rowGroups.nextInt());
    }
    Table table = open.readChunk();
    // A row group is one pass of the reader, which copies all its bytes with the first table.
    closeFile();
    return table;
  }

  private ParquetChunkedReader start(int rowGroup) {
    RowGroupFile file = file(rowGroup);
    HostMemoryBuffer bytes = file.toHost(upload);
    hostFile = bytes;
    if (!rowGroups.hasNext()) {
      upload.free();
    }
    ReadUnit unit = upload.unit();
    ParquetChunkedReader chunked =
        new ParquetChunkedReader(
            unit.outputChunkBytes(),
            decoding.passReadLimit(unit.outputChunkBytes(), file.length()),
            HybridScan.options(unit),
            bytes,
            0,
            file.length());
    reader = chunked;
    return chunked;
  }

  private RowGroupFile file(int rowGroup) {
    try {
      return RowGroupFile.of(upload.unit(), rowGroup);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The footer of " + upload.unit().files() + " cannot be rewritten", e);
    }
  }

  @Override
  public void close() {
    try {
      if (reader != null) {
        reader.close();
      }
    } finally {
      reader = null;
      closeFile();
    }
  }

  private void closeFile() {
    if (hostFile != null) {
      hostFile.close();
      hostFile = null;
    }
  }
}

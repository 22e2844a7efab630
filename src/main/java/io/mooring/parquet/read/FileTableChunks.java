package io.mooring.parquet.read;

import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.ParquetChunkedReader;
import ai.rapids.cudf.Table;
import io.mooring.parquet.unit.ChunkedDecoding;
import io.mooring.parquet.unit.ReadUnit;
import java.io.IOException;
import java.util.Arrays;
import java.util.PrimitiveIterator;
import org.jspecify.annotations.Nullable;

/**
 * With libcudf's {@link ParquetChunkedReader}, which takes any column, but wants files in host
 * memory: what was uploaded and verified is copied back, a row group at a time.
 */
final class FileTableChunks implements TableChunks {
  private final UnitUpload upload;
  private final ChunkedDecoding reading;
  private final PrimitiveIterator.OfInt rowGroups;
  private @Nullable ParquetChunkedReader reader;
  private @Nullable HostMemoryBuffer image;

  /**
   * @param upload whose bytes are on the device; they are freed once the last has been copied
   */
  FileTableChunks(UnitUpload upload, ChunkedDecoding reading) {
    this.upload = upload;
    this.reading = reading;
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
    // A row group is one pass of the reader, with whose first chunk all its bytes are copied.
    closeImage();
    return table;
  }

  private ParquetChunkedReader start(int rowGroup) {
    RowGroupFile file = file(rowGroup);
    HostMemoryBuffer bytes = RowGroupImage.of(upload, file);
    image = bytes;
    if (!rowGroups.hasNext()) {
      upload.free();
    }
    ReadUnit unit = upload.unit();
    ParquetChunkedReader made =
        new ParquetChunkedReader(
            unit.outputChunkBytes(),
            reading.bytesInWork(unit.outputChunkBytes(), file.length()),
            UnitOptions.of(unit),
            bytes,
            0,
            file.length());
    reader = made;
    return made;
  }

  private RowGroupFile file(int rowGroup) {
    try {
      return RowGroupFile.of(upload.unit(), rowGroup);
    } catch (IOException e) {
      throw ThinnedFooter.unwritable(upload.unit(), e);
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
      closeImage();
    }
  }

  private void closeImage() {
    if (image != null) {
      image.close();
      image = null;
    }
  }
}

package io.mooring.parquet.unit;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.MovedFooter;
import io.mooring.parquet.source.FileSequence;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;

/**
 * The footer of a file sequence: the first file's schema and every unit's row groups, of both only
 * the wanted columns, with offsets that are addresses in the sequence.
 */
final class CoalescedFooter {
  private CoalescedFooter() {}

  static Footer of(List<ReadUnit> units, FileSequence files) throws IOException {
    try {
      ReadUnit first = units.get(0);
      MovedFooter coalesced =
          new MovedFooter(parsed(first), first.footer().schema(), first.columns());
      for (int i = 0; i < units.size(); i++) {
        FileMetaData file = parsed(units.get(i));
        long start = files.starts().get(i);
        for (int index : units.get(i).rowGroups()) {
          coalesced.add(file.getRow_groups().get(index), chunk -> start);
        }
      }
      return footer(coalesced.metadata());
    } catch (RuntimeException e) {
      throw new IOException("The footers of " + files + " cannot be written as one", e);
    }
  }

  private static FileMetaData parsed(ReadUnit unit) throws IOException {
    return Util.readFileMetaData(new ByteArrayInputStream(unit.footer().thrift()));
  }

  private static Footer footer(FileMetaData file) throws IOException {
    ByteArrayOutputStream thrift = new ByteArrayOutputStream();
    Util.writeFileMetaData(file, thrift);
    return new Footer(
        thrift.toByteArray(),
        new ParquetMetadataConverter().fromParquetMetadata(file),
        new long[0]);
  }
}

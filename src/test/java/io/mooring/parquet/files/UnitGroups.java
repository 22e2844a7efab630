package io.mooring.parquet.files;

import io.mooring.parquet.unit.ReadUnit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;

/** What parquet-mr reads of a unit, by the unit's own footer and as its only file. */
public final class UnitGroups {
  private UnitGroups() {}

  /** The rows, with the unit's columns in order. */
  public static List<Group> read(ReadUnit unit) throws IOException {
    MessageType wanted =
        new MessageType("m", unit.columns().stream().map(unit.footer().schema()::getType).toList());
    List<Group> rows = new ArrayList<>();
    try (ParquetFileReader reader = ParquetFileReader.open(SequenceInput.of(unit))) {
      reader.setRequestedSchema(wanted);
      for (int rowGroup : unit.rowGroups()) {
        PageReadStore pages = reader.readRowGroup(rowGroup);
        RecordReader<Group> records =
            new ColumnIOFactory()
                .getColumnIO(wanted)
                .getRecordReader(pages, new GroupRecordConverter(wanted));
        for (long i = 0; i < pages.getRowCount(); i++) {
          rows.add(records.read());
        }
      }
    }
    return rows;
  }
}

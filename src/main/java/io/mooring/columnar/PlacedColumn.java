package io.mooring.columnar;

import io.mooring.columnar.HostColumn.ColumnLayout;
import java.util.List;

/**
 * Where in one host buffer a column lies: offsets from its start, -1 for a part that is not there.
 *
 * @param valueBytes width of a value; 0 where values have no one width
 * @param children the columns that the values are made of: of a struct the fields that are there,
 *     of an array the elements, of a map keys and values
 */
record PlacedColumn(
    long data,
    long validity,
    long offsets,
    int nullCount,
    int valueBytes,
    List<PlacedColumn> children) {

  ColumnLayout at(SharedBuffer buffer) {
    return new ColumnLayout(
        address(buffer, data), address(buffer, validity), address(buffer, offsets), nullCount);
  }

  private static long address(SharedBuffer buffer, long offset) {
    return offset < 0 ? 0 : buffer.address() + offset;
  }
}

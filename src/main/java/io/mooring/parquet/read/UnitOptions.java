package io.mooring.parquet.read;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.ParquetOptions;
import io.mooring.parquet.unit.ReadUnit;

/** What libcudf's readers are told of a unit beside its footer. */
final class UnitOptions {
  private UnitOptions() {}

  static ParquetOptions of(ReadUnit unit) {
    ParquetOptions.Builder options = ParquetOptions.builder();
    if (!unit.isNested()) {
      // By name nested columns cannot be had: cudf 26.08.1 asks for options of their children.
      unit.columns().forEach(options::includeColumn);
    }
    options.withTimeUnit(DType.TIMESTAMP_MICROSECONDS);
    return options.build();
  }
}

package io.mooring.parquet.read;

import ai.rapids.cudf.Table;

/** Decodes a unit whose bytes are on the device. */
interface TableDecoder {
  /** The unit's columns in the order asked for; the caller closes the table. */
  Table decode(UnitUpload upload);
}

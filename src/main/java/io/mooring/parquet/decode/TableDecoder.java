package io.mooring.parquet.decode;

import ai.rapids.cudf.Table;
import io.mooring.parquet.upload.UnitUpload;

/** Decodes a unit whose bytes are on the device. */
interface TableDecoder {
  /** The unit's columns in the order asked for; the caller closes the table. */
  Table decode(UnitUpload upload);
}

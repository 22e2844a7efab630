package io.mooring.scan;

import org.apache.spark.sql.vectorized.ColumnarBatch;

/** A batch and the split that its rows are of. */
record FileBatch(FileSplit split, ColumnarBatch batch) {}

package io.mooring.columnar;

/**
 * Where the parts of one column lie in host memory; an address of 0 means that it has no such part.
 */
record ColumnLayout(long dataAddress, long validityAddress, long offsetsAddress, int nullCount) {}

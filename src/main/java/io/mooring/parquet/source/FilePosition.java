package io.mooring.parquet.source;

/** A byte of a file: the path and the offset. */
public record FilePosition(String path, long offset) {}

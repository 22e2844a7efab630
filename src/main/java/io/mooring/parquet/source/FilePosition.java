package io.mooring.parquet.source;

/** A byte of a file. */
public record FilePosition(String path, long offset) {}

package io.mooring.parquet.verify;

/** A byte of a file. */
public record FilePlace(String path, long offset) {}

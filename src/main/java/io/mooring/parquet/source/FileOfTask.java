package io.mooring.parquet.source;

/**
 * A file as one task has it. Equal only to itself: every task has objects of its own for the files
 * that it reads, because Spark serializes its splits for it, and a footer that one task has read
 * need not belong to the bytes that another task has read later.
 */
record FileOfTask(ParquetFile file) {
  @Override
  public boolean equals(Object other) {
    return other instanceof FileOfTask that && that.file == file;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(file);
  }
}

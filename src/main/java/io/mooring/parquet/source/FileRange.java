package io.mooring.parquet.source;

/** A range of a file: offset of the first byte and length, both in bytes. */
public record FileRange(long offset, long length) {
  public FileRange {
    if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException("Bad file range: offset " + offset + ", length " + length);
    }
  }

  /** The offset after the last byte. */
  public long end() {
    return offset + length;
  }

  /** Whether all of another range lies in this one. */
  public boolean contains(long otherOffset, long otherLength) {
    return otherOffset >= offset
        && otherLength >= 0
        && otherOffset - offset <= length - otherLength;
  }
}

package io.mooring.parquet.read;

import java.util.Comparator;

/**
 * A piece that waits for an I/O thread.
 *
 * @param ahead units that its task uses before this one
 * @param number in the order in which pieces were given
 */
record QueuedPiece(UploadPiece piece, int ahead, long number) implements Comparable<QueuedPiece> {
  private static final Comparator<QueuedPiece> ORDER =
      Comparator.comparingInt(QueuedPiece::ahead).thenComparingLong(QueuedPiece::number);

  @Override
  public int compareTo(QueuedPiece other) {
    return ORDER.compare(this, other);
  }
}

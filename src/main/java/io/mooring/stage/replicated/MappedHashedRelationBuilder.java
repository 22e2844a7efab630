package io.mooring.stage.replicated;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.immutable.Seq;

/** Builds a {@link MappedHashedRelation}. Belongs to one thread. */
final class MappedHashedRelationBuilder {
  private static final int SEGMENT_BITS = 30;
  private static final int ZEROS = 1 << 16;

  private final Seq<Expression> keys;
  private final Supplier<Path> newFile;
  private final Runnable check;
  private final int segmentBits;

  /**
   * @param keys over the columns of the rows
   * @param newFile gives paths of new files, on a disk with room
   * @param check called now and then; throws when the build should end
   */
  MappedHashedRelationBuilder(Seq<Expression> keys, Supplier<Path> newFile, Runnable check) {
    this(keys, newFile, check, SEGMENT_BITS);
  }

  MappedHashedRelationBuilder(
      Seq<Expression> keys, Supplier<Path> newFile, Runnable check, int segmentBits) {
    this.keys = keys;
    this.newFile = newFile;
    this.check = check;
    this.segmentBits = segmentBits;
  }

  /**
   * The relation of some rows, without those that have a null in their key, as in Spark's.
   *
   * @throws UncheckedIOException when its files cannot be written
   */
  MappedHashedRelation build(Iterator<InternalRow> rows) {
    Path recordFile = newFile.get();
    Path slotFile = newFile.get();
    try {
      RowRecordWriter records = new RowRecordWriter(recordFile, segmentBits);
      int fields;
      try (records) {
        fields = write(rows, records);
      }
      int slotBits = slotBits(records.count());
      writeZeros(slotFile, 1L << slotBits);
      return linked(recordFile, slotFile, records.end(), slotBits, fields);
    } catch (IOException e) {
      throw new UncheckedIOException("A build side cannot be kept in files: " + e, e);
    } finally {
      delete(recordFile);
      delete(slotFile);
    }
  }

  /** Writes the records; returns the number of columns of the rows. */
  private int write(Iterator<InternalRow> rows, RowRecordWriter records) throws IOException {
    UnsafeProjection keyOf = UnsafeProjection.create(keys);
    int fields = 0;
    while (rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      UnsafeRow key = keyOf.apply(row);
      fields = row.numFields();
      if (!key.anyNull()) {
        records.add(key, row);
      }
    }
    return fields;
  }

  /** At least twice as many slots as records. */
  private static int slotBits(long records) {
    return Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, 2 * records));
  }

  /** Allocates all blocks of the file, or fails if the disk is full. */
  private static void writeZeros(Path file, long words) throws IOException {
    byte[] zeros = new byte[ZEROS];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long left = words * Long.BYTES; left > 0; left -= ZEROS) {
        out.write(zeros, 0, (int) Math.min(left, ZEROS));
      }
    }
  }

  private MappedHashedRelation linked(
      Path recordFile, Path slotFile, long end, int slotBits, int fields) throws IOException {
    MappedFile records = MappedFile.of(recordFile, segmentBits);
    MappedFile slots = MappedFile.of(slotFile, segmentBits);
    UnsafeRow key = new UnsafeRow(keys.size());
    boolean unique = true;
    long at = RowRecordWriter.START;
    for (long count = 0; at < end; count++) {
      if (count % ZEROS == 0) {
        check.run();
      }
      int bytes = hasRoom(at) ? records.getInt(at + RowRecordWriter.KEY_SIZE) : -1;
      if (bytes < 0) {
        at = ((at >> segmentBits) + 1) << segmentBits;
        continue;
      }
      key.pointTo(records.getBytes(at + RowRecordWriter.HEADER, bytes), bytes);
      unique &= link(records, slots, slotBits, at, key);
      at += RowRecordWriter.HEADER + bytes + records.getInt(at + RowRecordWriter.ROW_SIZE);
    }
    var shape = new MappedHashedRelation.Shape(keys.size(), fields, unique);
    return new MappedHashedRelation(records, slots, slotBits, shape);
  }

  private boolean hasRoom(long at) {
    long left = (1L << segmentBits) - (at & ((1L << segmentBits) - 1));
    return left >= RowRecordWriter.HEADER;
  }

  /** Links a record before those of the same key; returns whether it is the first. */
  private static boolean link(
      MappedFile records, MappedFile slots, int slotBits, long at, UnsafeRow key) {
    long slot = MappedHashedRelation.slot(records, slots, slotBits, key) * Long.BYTES;
    long before = MappedHashedRelation.position(slots.getLong(slot));
    records.putLong(at, before);
    slots.putLong(slot, MappedHashedRelation.entry(at, key));
    return before == 0;
  }

  /** Deletes the name of a file; the mapping stays. */
  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // Spark deletes its local directories at the end.
    }
  }
}

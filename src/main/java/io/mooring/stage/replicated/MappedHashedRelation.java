package io.mooring.stage.replicated;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A hashed relation in files that are mapped: for build sides that turn out larger than the heap
 * should hold. Slower than Spark's, but for what stays in the page cache. Thread-safe; a row stays
 * as it is.
 */
final class MappedHashedRelation implements HashedRelation {
  /** Bits of a slot that tell the position of a record; those above are of the key's hash. */
  static final int POSITION_BITS = 40;

  private static final long POSITION = (1L << POSITION_BITS) - 1;
  private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
  private static final int LONG_KEY_BYTES = 2 * Long.BYTES;

  private final MappedFile records;
  private final MappedFile slots;
  private final int slotBits;
  private final Shape shape;

  /**
   * What its rows are.
   *
   * @param keyFields how many columns keys have
   * @param rowFields how many columns rows have
   * @param unique whether no two rows have the same key
   */
  record Shape(int keyFields, int rowFields, boolean unique) {}

  /**
   * @param slots powers of two of them, more than there are records: zero, or a position and bits
   *     of the hash
   */
  MappedHashedRelation(MappedFile records, MappedFile slots, int slotBits, Shape shape) {
    this.records = records;
    this.slots = slots;
    this.slotBits = slotBits;
    this.shape = shape;
  }

  /** The number of the slot that has a key's first record, or where it belongs. */
  static long slot(MappedFile records, MappedFile slots, int slotBits, UnsafeRow key) {
    long hash = key.hashCode() * HASH_FACTOR;
    long slot = hash >>> (Long.SIZE - slotBits);
    for (long entry = slots.getLong(slot * Long.BYTES);
        entry != 0;
        entry = slots.getLong(slot * Long.BYTES)) {
      if (hashBits(entry) == hashBits(hash << POSITION_BITS)
          && isKeyOf(records, entry & POSITION, key)) {
        break;
      }
      slot = (slot + 1) & ((1L << slotBits) - 1);
    }
    return slot;
  }

  /** What a slot has for a record. */
  static long entry(long position, UnsafeRow key) {
    return (key.hashCode() * HASH_FACTOR) << POSITION_BITS | position;
  }

  /** Where the first record of a slot is. */
  static long position(long entry) {
    return entry & POSITION;
  }

  private static long hashBits(long entry) {
    return entry >>> POSITION_BITS;
  }

  private static boolean isKeyOf(MappedFile records, long position, UnsafeRow key) {
    int bytes = key.getSizeInBytes();
    if (records.getInt(position + RowRecordWriter.KEY_SIZE) != bytes) {
      return false;
    }
    for (int at = 0; at < bytes; at += Long.BYTES) {
      if (records.getLong(position + RowRecordWriter.HEADER + at)
          != Platform.getLong(key.getBaseObject(), key.getBaseOffset() + at)) {
        return false;
      }
    }
    return true;
  }

  private long first(InternalRow key) {
    long slot = slot(records, slots, slotBits, (UnsafeRow) key);
    return position(slots.getLong(slot * Long.BYTES));
  }

  private UnsafeRow row(long position) {
    int key = records.getInt(position + RowRecordWriter.KEY_SIZE);
    int bytes = records.getInt(position + RowRecordWriter.ROW_SIZE);
    return row(shape.rowFields(), position + RowRecordWriter.HEADER + key, bytes);
  }

  private UnsafeRow row(int fields, long position, int bytes) {
    UnsafeRow row = new UnsafeRow(fields);
    row.pointTo(records.getBytes(position, bytes), bytes);
    return row;
  }

  @Override
  public scala.collection.@Nullable Iterator<InternalRow> get(InternalRow key) {
    long first = first(key);
    return first == 0 ? null : CollectionConverters.asScala(new Chain(first));
  }

  @Override
  public scala.collection.@Nullable Iterator<InternalRow> get(long key) {
    return get(rowOf(key));
  }

  @Override
  public @Nullable InternalRow getValue(InternalRow key) {
    long first = first(key);
    return first == 0 ? null : row(first);
  }

  @Override
  public @Nullable InternalRow getValue(long key) {
    return getValue(rowOf(key));
  }

  private static UnsafeRow rowOf(long key) {
    UnsafeRow row = new UnsafeRow(1);
    row.pointTo(new byte[LONG_KEY_BYTES], LONG_KEY_BYTES);
    row.setLong(0, key);
    return row;
  }

  @Override
  public boolean keyIsUnique() {
    return shape.unique();
  }

  @Override
  public scala.collection.Iterator<InternalRow> keys() {
    return CollectionConverters.asScala(new Keys());
  }

  @Override
  public HashedRelation asReadOnlyCopy() {
    return this;
  }

  @Override
  public void close() {}

  /** On the heap there are the references to its files alone. */
  @Override
  public long estimatedSize() {
    return Long.BYTES << 10;
  }

  /** The rows of one key. */
  private final class Chain implements Iterator<InternalRow> {
    private long next;

    Chain(long first) {
      this.next = first;
    }

    @Override
    public boolean hasNext() {
      return next != 0;
    }

    @Override
    public InternalRow next() {
      if (next == 0) {
        throw new NoSuchElementException();
      }
      UnsafeRow row = row(next);
      next = records.getLong(next);
      return row;
    }
  }

  /** Each key once. */
  private final class Keys implements Iterator<InternalRow> {
    private long slot = -1;

    Keys() {
      advance();
    }

    private void advance() {
      do {
        slot++;
      } while (hasNext() && slots.getLong(slot * Long.BYTES) == 0);
    }

    @Override
    public boolean hasNext() {
      return slot < 1L << slotBits;
    }

    @Override
    public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      long position = position(slots.getLong(slot * Long.BYTES));
      int bytes = records.getInt(position + RowRecordWriter.KEY_SIZE);
      advance();
      return row(shape.keyFields(), position + RowRecordWriter.HEADER, bytes);
    }
  }
}

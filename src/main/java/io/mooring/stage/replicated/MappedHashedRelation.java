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
 * A hashed relation in memory-mapped files, for build sides that turn out too large for the heap.
 * Thread-safe; a row is not reused.
 */
final class MappedHashedRelation implements HashedRelation {
  /** Low bits of a slot that hold a record's position; the others hold bits of the key's hash. */
  static final int POSITION_BITS = 40;

  private static final long POSITION = (1L << POSITION_BITS) - 1;
  private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
  private static final int LONG_KEY_BYTES = 2 * Long.BYTES;

  private final MappedFile records;
  private final MappedFile slots;
  private final int slotBits;
  private final Shape shape;

  /**
   * The shape of the rows.
   *
   * @param keyFields number of columns of keys
   * @param rowFields number of columns of rows
   * @param unique whether no two rows have the same key
   */
  record Shape(int keyFields, int rowFields, boolean unique) {}

  /**
   * @param slots a power of two of them, more than records: zero, or a position and bits of the
   *     hash
   */
  MappedHashedRelation(MappedFile records, MappedFile slots, int slotBits, Shape shape) {
    this.records = records;
    this.slots = slots;
    this.slotBits = slotBits;
    this.shape = shape;
  }

  /** The slot of a key's first record, or the empty slot where it belongs. */
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

  /** The value of a slot for a record. */
  static long entry(long position, UnsafeRow key) {
    return (key.hashCode() * HASH_FACTOR) << POSITION_BITS | position;
  }

  /** The position of a slot's first record. */
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

  /** Bytes on the heap: only references to the files. */
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

  /** The distinct keys. */
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

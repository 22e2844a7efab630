package io.mooring.spark.plan.scripts;

import io.mooring.columnar.ReadBatches;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * A table of one large batch, whose reader keeps batches as Mooring's does, and which counts the
 * batches that are free and the rows that are read of them.
 */
public final class CountedBatches implements TableProvider {
  static final AtomicLong FREED = new AtomicLong();
  static final AtomicLong READ_WHEN_FREE = new AtomicLong();
  private static final int ROWS = 3_000_000;
  private static final StructType SCHEMA = new StructType().add("id", "long");

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return SCHEMA;
  }

  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new OneBatchTable();
  }

  private static final class OneBatchTable implements SupportsRead {
    @Override
    public String name() {
      return "counted";
    }

    @Override
    public StructType schema() {
      return SCHEMA;
    }

    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return OneBatchScan::new;
    }
  }

  private static final class OneBatchScan implements Scan, Batch {
    @Override
    public StructType readSchema() {
      return SCHEMA;
    }

    @Override
    public Batch toBatch() {
      return this;
    }

    @Override
    public InputPartition[] planInputPartitions() {
      return new InputPartition[] {new OnePartition()};
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
      return new Factory();
    }
  }

  private static final class OnePartition implements InputPartition {}

  private static final class Factory implements PartitionReaderFactory {
    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean supportColumnarReads(InputPartition partition) {
      return true;
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
      return new Reader();
    }
  }

  private static final class Reader implements PartitionReader<ColumnarBatch> {
    private final ReadBatches<Counted> batches =
        new ReadBatches<>(Counted::free, Counted::freeWhenUnreachable);
    private ColumnarBatch batch;

    @Override
    public boolean next() {
      batches.readHere();
      batches.freeCurrent();
      if (batch != null) {
        return false;
      }
      Counted column = new Counted();
      batches.addAll(List.of(column));
      batches.next();
      batch = new ColumnarBatch(new ColumnVector[] {column}, ROWS);
      return true;
    }

    @Override
    public ColumnarBatch get() {
      return batch;
    }

    @Override
    public void close() {
      batches.close();
    }
  }

  /** Numbers without memory for them. */
  private static final class Counted extends ColumnVector {
    private static final Cleaner CLEANER = Cleaner.create();

    private final AtomicBoolean free = new AtomicBoolean();

    Counted() {
      super(DataTypes.LongType);
    }

    void free() {
      free(free);
    }

    void freeWhenUnreachable() {
      AtomicBoolean flag = free;
      CLEANER.register(this, () -> free(flag));
    }

    private static void free(AtomicBoolean flag) {
      if (flag.compareAndSet(false, true)) {
        FREED.incrementAndGet();
      }
    }

    @Override
    public long getLong(int row) {
      if (free.get()) {
        READ_WHEN_FREE.incrementAndGet();
      }
      return row;
    }

    @Override
    public void close() {}

    @Override
    public boolean hasNull() {
      return false;
    }

    @Override
    public int numNulls() {
      return 0;
    }

    @Override
    public boolean isNullAt(int row) {
      return false;
    }

    @Override
    public boolean getBoolean(int row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public byte getByte(int row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public short getShort(int row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int getInt(int row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public float getFloat(int row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public double getDouble(int row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ColumnarArray getArray(int row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ColumnarMap getMap(int row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Decimal getDecimal(int row, int precision, int scale) {
      throw new UnsupportedOperationException();
    }

    @Override
    public UTF8String getUTF8String(int row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public byte[] getBinary(int row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ColumnVector getChild(int ordinal) {
      throw new UnsupportedOperationException();
    }
  }
}

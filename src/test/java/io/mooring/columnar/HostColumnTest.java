package io.mooring.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.columnar.HostColumn.ColumnLayout;
import io.mooring.columnar.HostColumns.FixedWidthColumn;
import io.mooring.columnar.HostColumns.StringColumn;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostColumnTest {
  private final ColumnBuffers buffers = new ColumnBuffers();

  @AfterEach
  void free() {
    buffers.host.close();
  }

  private static byte[] littleEndian(BigInteger value, int width) {
    byte[] bytes = new byte[width];
    for (int i = 0; i < width; i++) {
      bytes[i] = value.shiftRight(8 * i).byteValue();
    }
    return bytes;
  }

  private static DecimalType typeOf(int width) {
    int precision = width == 4 ? 9 : width == 8 ? 18 : 38;
    return DataTypes.createDecimalType(precision, 3);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16})
  void decimalsOfEveryWidthAreReadExactly(int width) {
    DecimalType type = typeOf(width);
    BigInteger most = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
    long seed = System.nanoTime();
    Random random = new Random(seed);
    BigInteger[] values = new BigInteger[50];
    values[0] = most;
    values[1] = most.negate();
    values[2] = BigInteger.ZERO;
    values[3] = BigInteger.ONE.negate();
    for (int i = 4; i < values.length; i++) {
      BigInteger value = new BigInteger(3 * random.nextInt(1, type.precision() + 1), random);
      values[i] = random.nextBoolean() ? value : value.negate();
    }
    buffers.fill(
        bytes -> {
          for (BigInteger value : values) {
            bytes.put(littleEndian(value, width));
          }
        });
    DecimalColumn column = new DecimalColumn(type, buffers.shared, buffers.layout(0), width);
    for (int i = 0; i < values.length; i++) {
      assertThat(column.getDecimal(i, type.precision(), 3).toJavaBigDecimal())
          .as("seed %s", seed)
          .isEqualTo(new BigDecimal(values[i], 3));
    }
  }

  @Test
  void aNarrowPrecisionInAWideColumnIsReadExactly() {
    buffers.fill(bytes -> bytes.put(littleEndian(BigInteger.valueOf(-12345), 16)));
    DecimalType type = DataTypes.createDecimalType(7, 2);
    DecimalColumn column = new DecimalColumn(type, buffers.shared, buffers.layout(0), 16);
    assertThat(column.getDecimal(0, 7, 2).toString()).isEqualTo("-123.45");
  }

  private static void strings(ByteBuffer bytes, String... values) {
    int end = 0;
    bytes.putInt(ColumnBuffers.OFFSETS_AT, 0);
    for (int i = 0; i < values.length; i++) {
      byte[] utf8 = values[i].getBytes(StandardCharsets.UTF_8);
      bytes.put(end, utf8);
      end += utf8.length;
      bytes.putInt(ColumnBuffers.OFFSETS_AT + 4 * (i + 1), end);
    }
  }

  @Test
  void stringsAndBytesAreReadBetweenTheirOffsets() {
    buffers.fill(
        bytes -> {
          strings(bytes, "one", "", "gone", "\u00fc\u00df\ud83d\ude00");
          bytes.put(ColumnBuffers.VALIDITY_AT, (byte) 0b1011);
        });
    StringColumn column = new StringColumn(DataTypes.StringType, buffers.shared, buffers.layout(1));
    assertThat(column.getUTF8String(0)).isEqualTo(UTF8String.fromString("one"));
    assertThat(column.getUTF8String(1)).isEqualTo(UTF8String.EMPTY_UTF8);
    assertThat(column.getUTF8String(2)).isNull();
    assertThat(column.getBinary(2)).isNull();
    assertThat(column.getUTF8String(3)).hasToString("\u00fc\u00df\ud83d\ude00");
    assertThat(column.getBinary(0)).isEqualTo("one".getBytes(StandardCharsets.UTF_8));
    assertThat(column.getBinary(1)).isEmpty();
  }

  @Test
  void validityBitsAreLeastSignificantFirst() {
    buffers.fill(
        bytes -> {
          for (int i = 0; i < 20; i++) {
            bytes.putInt(4 * i, 100 + i);
          }
          bytes.put(ColumnBuffers.VALIDITY_AT, (byte) 0b1111_1110);
          bytes.put(ColumnBuffers.VALIDITY_AT + 1, (byte) 0b0111_1111);
          bytes.put(ColumnBuffers.VALIDITY_AT + 2, (byte) 0b1111);
        });
    FixedWidthColumn column =
        new FixedWidthColumn(DataTypes.IntegerType, buffers.shared, buffers.layout(2));
    assertThat(column.hasNull()).isTrue();
    assertThat(column.numNulls()).isEqualTo(2);
    for (int i = 0; i < 20; i++) {
      assertThat(column.isNullAt(i)).isEqualTo(i == 0 || i == 15);
      assertThat(column.getInt(i)).isEqualTo(100 + i);
    }
  }

  @Test
  void aColumnWithoutNullsNeedsNoValidityBits() {
    FixedWidthColumn column =
        new FixedWidthColumn(DataTypes.LongType, buffers.shared, buffers.layout(0));
    assertThat(column.hasNull()).isFalse();
    assertThat(column.isNullAt(3)).isFalse();
  }

  @Test
  void askingForAnotherTypeSaysWhichTypeItIs() {
    FixedWidthColumn column =
        new FixedWidthColumn(DataTypes.LongType, buffers.shared, buffers.layout(0));
    assertThatThrownBy(() -> column.getUTF8String(0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("BIGINT");
  }

  @Test
  void theBufferGoesBackWithTheLastColumnAndNotTwice() {
    FixedWidthColumn first =
        new FixedWidthColumn(DataTypes.LongType, buffers.shared, buffers.layout(0));
    FixedWidthColumn second =
        new FixedWidthColumn(DataTypes.LongType, buffers.shared, buffers.layout(0));
    buffers.shared.release();
    first.close();
    first.close();
    assertThat(buffers.host.address()).isPositive();
    second.close();
    assertThatThrownBy(buffers.host::address).isInstanceOf(IllegalStateException.class);
  }

  /** Columns over plain host memory, laid out as libcudf would. */
  private static final class ColumnBuffers {
    private static final int BYTES = 4096;
    static final int OFFSETS_AT = 1024;
    static final int VALIDITY_AT = 2048;

    final HostBuffer host = HostMemory.allocate(BYTES);
    final SharedBuffer shared = new SharedBuffer(host);

    /** Fills the buffer: values at 0, offsets at {@link #OFFSETS_AT}. */
    ColumnBuffers fill(Consumer<ByteBuffer> values) {
      ByteBuffer bytes = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
      values.accept(bytes);
      HostMemory.copyIn(bytes.array(), BYTES, host.address());
      return this;
    }

    ColumnLayout layout(int nullCount) {
      long base = host.address();
      return new ColumnLayout(
          base, nullCount == 0 ? 0 : base + VALIDITY_AT, base + OFFSETS_AT, nullCount);
    }
  }
}

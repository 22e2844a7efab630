package io.mooring.columnar;

import io.mooring.columnar.HostColumn.ColumnLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.Platform;
import org.jspecify.annotations.Nullable;

/** Decimals as unscaled little-endian integers of 4, 8 or 16 bytes. */
final class DecimalColumn extends HostColumn {
  private final long data;
  private final int width;

  DecimalColumn(DecimalType type, SharedBuffer buffer, ColumnLayout layout, int width) {
    super(type, buffer, layout);
    this.data = layout.dataAddress();
    this.width = width;
  }

  @Override
  public @Nullable Decimal getDecimal(int row, int precision, int scale) {
    if (isNullAt(row)) {
      return null;
    }
    long at = data + (long) width * row;
    return switch (width) {
      case 4 -> narrow(Platform.getInt(null, at), precision, scale);
      case 8 -> narrow(Platform.getLong(null, at), precision, scale);
      default -> wide(at, precision, scale);
    };
  }

  private static Decimal narrow(long unscaled, int precision, int scale) {
    // A file's values may be narrower than the table's type.
    return precision <= Decimal.MAX_LONG_DIGITS()
        ? Decimal.createUnsafe(unscaled, precision, scale)
        : Decimal.apply(BigDecimal.valueOf(unscaled, scale), precision, scale);
  }

  private static Decimal wide(long at, int precision, int scale) {
    long low = Platform.getLong(null, at);
    long high = Platform.getLong(null, at + 8);
    // The high word of a value that fits a long is only its sign.
    if (high == low >> 63 && precision <= Decimal.MAX_LONG_DIGITS()) {
      return Decimal.createUnsafe(low, precision, scale);
    }
    byte[] bigEndian = new byte[16];
    for (int i = 0; i < 8; i++) {
      bigEndian[i] = (byte) (high >> (56 - 8 * i));
      bigEndian[8 + i] = (byte) (low >> (56 - 8 * i));
    }
    BigDecimal value = new BigDecimal(new BigInteger(bigEndian), scale);
    return Decimal.apply(value, precision, scale);
  }
}

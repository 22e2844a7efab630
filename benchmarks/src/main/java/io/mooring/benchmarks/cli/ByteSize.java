package io.mooring.benchmarks.cli;

import java.util.Locale;
import org.apache.spark.network.util.JavaUtils;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A size as the user wrote it, and its bytes.
 *
 * @param text a Spark byte string, such as {@code 64m} or {@code 8g}, in lower case
 * @param bytes the same in bytes, above 0
 */
public record ByteSize(String text, long bytes) {

  /** The size that a Spark byte string names. */
  public static ByteSize parse(String text) {
    String clean = text.strip().toLowerCase(Locale.ROOT);
    try {
      long bytes = JavaUtils.byteStringAsBytes(clean);
      if (bytes > 0) {
        return new ByteSize(clean, bytes);
      }
    } catch (IllegalArgumentException e) {
      // said below, in our words
    }
    throw new TypeConversionException(
        "'" + text + "' is not a size; write for instance 64m, 1g or 500000000b");
  }

  /** A size of so many bytes, written in MiB. */
  public static ByteSize ofBytes(long bytes) {
    return new ByteSize((bytes >> 20) + "m", bytes);
  }

  @Override
  public String toString() {
    return text;
  }

  /** Reads a {@link ByteSize} from an option. */
  public static final class Converter implements ITypeConverter<ByteSize> {
    @Override
    public ByteSize convert(String text) {
      return parse(text);
    }
  }

  /** Reads {@code spark.mooring.pinnedPool.size}: {@code auto}, {@code 0} or a size. */
  public static final class PoolConverter implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      String clean = text.strip().toLowerCase(Locale.ROOT);
      return clean.equals("auto") || clean.equals("0") ? clean : parse(text).text();
    }
  }
}

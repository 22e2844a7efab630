package io.mooring.benchmarks.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Shares as users write them: {@code 2%} or {@code 0.02}. */
public final class Share {

  private Share() {}

  /** The share that a text names, as a fraction. */
  public static double parse(String text) {
    String clean = text.strip();
    boolean percent = clean.endsWith("%");
    try {
      double value = Double.parseDouble(percent ? clean.substring(0, clean.length() - 1) : clean);
      return percent ? value / 100 : value;
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "'" + text + "' is no share; write for instance 2% or 0.02");
    }
  }

  /** A share in percent, with no more digits than it takes. */
  public static String text(double share) {
    return String.format(Locale.ROOT, "%.3f", share * 100).replaceFirst("\\.?0+$", "") + "%";
  }

  /** Reads a share from an option. */
  public static final class Converter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return parse(text);
    }
  }
}

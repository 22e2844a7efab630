package io.mooring.benchmarks.store;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.cli.UserError;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * How a store answers.
 *
 * @param text as the user wrote it
 * @param latency between a request and the first byte of its response
 * @param connection bytes that one connection carries in a second
 * @param all bytes that all connections carry in a second; empty for no limit
 */
public record StoreShape(
    String text, Duration latency, ByteSize connection, Optional<ByteSize> all) {

  private static final String KIND = "s3";
  private static final Pattern MILLIS = Pattern.compile("(\\d{1,6})ms");

  /** Reads {@code s3,LATENCY,CONNECTION[,ALL]}, such as {@code s3,30ms,60m} or {@code …,60m,2g}. */
  public static StoreShape parse(String text) {
    List<String> parts = List.of(text.strip().split(",", -1));
    if (parts.size() < 3 || parts.size() > 4 || !parts.get(0).equals(KIND)) {
      throw wrong(text, "write s3,LATENCY,BANDWIDTH");
    }
    Matcher millis = MILLIS.matcher(parts.get(1));
    if (!millis.matches()) {
      throw wrong(text, "the latency is in milliseconds, such as 30ms");
    }
    try {
      return new StoreShape(
          text,
          Duration.ofMillis(Long.parseLong(millis.group(1))),
          ByteSize.parse(parts.get(2)),
          parts.size() < 4 ? Optional.empty() : Optional.of(ByteSize.parse(parts.get(3))));
    } catch (TypeConversionException e) {
      throw wrong(text, e.getMessage());
    }
  }

  private static UserError wrong(String text, String why) {
    return UserError.usage("--store " + text + ": " + why + "; an example is s3,30ms,60m,2g");
  }

  /** Bytes a second of so many requests at a time, at most. */
  public double bytesPerSecond(double requests) {
    double rate = requests * connection.bytes();
    return all.isPresent() ? Math.min(rate, all.get().bytes()) : rate;
  }
}

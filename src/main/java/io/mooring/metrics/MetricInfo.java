package io.mooring.metrics;

/**
 * How a metric is described. Immutable.
 *
 * @param key its name in the registry
 * @param unit of the raw number
 * @param meaning one or two sentences of Markdown
 */
public record MetricInfo(String key, MetricUnit unit, String meaning) {
  public static MetricInfo count(String key, String meaning) {
    return new MetricInfo(key, MetricUnit.COUNT, meaning);
  }

  public static MetricInfo bytes(String key, String meaning) {
    return new MetricInfo(key, MetricUnit.BYTES, meaning);
  }

  public static MetricInfo nanoseconds(String key, String meaning) {
    return new MetricInfo(key, MetricUnit.NANOSECONDS, meaning);
  }
}

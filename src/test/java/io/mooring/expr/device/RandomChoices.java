package io.mooring.expr.device;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Choices that random numbers make. */
record RandomChoices(Random random) {
  <T> T one(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  @SafeVarargs
  final String any(Supplier<String>... ways) {
    return ways[random.nextInt(ways.length)].get();
  }
}

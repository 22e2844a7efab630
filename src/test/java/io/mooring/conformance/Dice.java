package io.mooring.conformance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Choices that a seed repeats. Not thread-safe. */
final class Dice {
  private final Random random;

  /** The first choices of neighbouring seeds are independent, which those of Random are not. */
  Dice(long seed) {
    this.random = new Random(new SplittableRandom(seed).nextLong());
  }

  Random random() {
    return random;
  }

  /** Whole numbers from {@code from} to {@code to}, both included. */
  int between(int from, int to) {
    return from + random.nextInt(to - from + 1);
  }

  /** True one time in {@code n}. */
  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  final <T> T one(T... values) {
    return values[random.nextInt(values.length)];
  }

  <T> T one(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  /** One of several ways to make something. */
  @SafeVarargs
  final <T> T any(Supplier<T>... ways) {
    return one(ways).get();
  }

  /** From one to {@code most} different elements, in any order. */
  <T> List<T> some(List<T> values, int most) {
    List<T> shuffled = new ArrayList<>(values);
    Collections.shuffle(shuffled, random);
    return List.copyOf(shuffled.subList(0, between(1, Math.min(most, shuffled.size()))));
  }
}

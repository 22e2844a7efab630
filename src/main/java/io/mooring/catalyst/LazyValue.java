package io.mooring.catalyst;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is made when it is first asked for. Physical nodes have such values instead of
 * synchronized methods: Spark holds a node's lock while it waits for sub-queries, whose adaptive
 * plans meanwhile ask all nodes for their metrics. Thread-safe.
 */
public final class LazyValue<T> {
  private final Supplier<T> maker;
  private volatile @Nullable T value;

  public LazyValue(Supplier<T> maker) {
    this.maker = maker;
  }

  /** The value; the first caller makes it, and others wait for it. */
  public T get() {
    T current = value;
    return current == null ? make() : current;
  }

  private synchronized T make() {
    T current = value;
    if (current == null) {
      current = maker.get();
      value = current;
    }
    return current;
  }
}

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
    T made = value;
    return made == null ? make() : made;
  }

  private synchronized T make() {
    T made = value;
    if (made == null) {
      made = maker.get();
      value = made;
    }
    return made;
  }
}

package io.mooring.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.spark.util.kvstore.KVStore;
import org.apache.spark.util.kvstore.KVStoreIterator;

/** An application's reports, kept in the store of Spark's UI. As thread-safe as that store. */
final class ReportStore {
  private final KVStore store;

  ReportStore(KVStore store) {
    this.store = store;
  }

  /** Replaces what has the same key. */
  void write(Object value) {
    try {
      store.write(value);
    } catch (Exception e) {
      throw unusable(e);
    }
  }

  <T> Optional<T> find(Class<T> type, Object key) {
    try {
      return Optional.of(store.read(type, key));
    } catch (NoSuchElementException e) {
      return Optional.empty();
    } catch (Exception e) {
      throw unusable(e);
    }
  }

  /** All of a type, in the order of their keys. */
  <T> List<T> all(Class<T> type) {
    List<T> all = new ArrayList<>();
    try (KVStoreIterator<T> values = store.view(type).closeableIterator()) {
      values.forEachRemaining(all::add);
    } catch (Exception e) {
      throw unusable(e);
    }
    return all;
  }

  long count(Class<?> type) {
    try {
      return store.count(type);
    } catch (Exception e) {
      throw unusable(e);
    }
  }

  void delete(Class<?> type, Object key) {
    try {
      store.delete(type, key);
    } catch (Exception e) {
      throw unusable(e);
    }
  }

  private static IllegalStateException unusable(Exception cause) {
    return new IllegalStateException("Spark's store of its UI cannot be used", cause);
  }
}

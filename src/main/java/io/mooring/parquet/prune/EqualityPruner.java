package io.mooring.parquet.prune;

import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.source.StoreThreads;
import io.mooring.parquet.source.UnchangedFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.jspecify.annotations.Nullable;

/**
 * Rules out row groups that lack the values that a predicate compares with, by their dictionaries
 * and then by their Bloom filters. In an object store each of these takes a round trip, so that row
 * groups are checked in parallel. Belongs to one thread.
 */
final class EqualityPruner {
  private final UnchangedFile file;
  private final Footer footer;
  private final FilterPredicate predicate;
  private final Configuration conf;

  /**
   * @param predicate of {@link EqualityConjuncts}
   */
  EqualityPruner(UnchangedFile file, Footer footer, FilterPredicate predicate, Configuration conf) {
    this.file = file;
    this.footer = footer;
    this.predicate = predicate;
    this.conf = conf;
  }

  /**
   * The row groups out of {@code rowGroups} that have to be read.
   *
   * @throws IOException when the file cannot be read, or is not the one of the footer any more
   */
  List<Integer> remaining(List<Integer> rowGroups) throws IOException {
    if (!file.byRequests() || rowGroups.size() < 2) {
      return checked(rowGroups);
    }
    List<FutureTask<List<Integer>>> checks = new ArrayList<>();
    for (int rowGroup : rowGroups) {
      checks.add(StoreThreads.begin(file.file(), conf, () -> checked(List.of(rowGroup))));
    }
    List<Integer> remaining = new ArrayList<>();
    try {
      for (FutureTask<List<Integer>> check : checks) {
        remaining.addAll(result(check));
      }
    } finally {
      checks.forEach(check -> check.cancel(false));
    }
    return remaining;
  }

  private List<Integer> checked(List<Integer> rowGroups) throws IOException {
    List<Integer> remaining = rowGroups;
    if (conf.getBoolean(ParquetInputFormat.DICTIONARY_FILTERING_ENABLED, true)) {
      try (DictionaryPages pages = new DictionaryPages(file, footer, conf)) {
        remaining = new DictionaryCheck(footer, pages).remaining(remaining, predicate);
      }
    }
    return conf.getBoolean(ParquetInputFormat.BLOOM_FILTERING_ENABLED, true)
        ? new BloomFilterPruner(file, footer, predicate).remaining(remaining)
        : remaining;
  }

  /** The result of a check, which this thread runs where no other has begun with it. */
  private static List<Integer> result(FutureTask<List<Integer>> check) throws IOException {
    check.run();
    try {
      return check.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "the wait for dictionaries or Bloom filters was interrupted");
    } catch (ExecutionException e) {
      throw unwrapped(e.getCause());
    }
  }

  private static IOException unwrapped(@Nullable Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    } else if (failure instanceof RuntimeException bug) {
      throw bug;
    }
    return failure instanceof IOException e ? e : new IOException(failure);
  }
}

package io.mooring.benchmarks.store;

import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.data.InputFiles;
import io.mooring.benchmarks.data.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Files as objects of a bucket, by keys {@code TABLE/FILE}. The same objects are found behind any
 * first segment of a key, {@code 1/TABLE/FILE} or {@code 2/TABLE/FILE}, so that a client that shall
 * know nothing of them is given an address that it has not seen.
 */
final class StoredObjects {

  /** An object: its bytes are those of a file. */
  record StoredObject(Path file, long bytes, long modifiedMillis) {
    /** The entity tag, quotes included. */
    String tag() {
      return "\"%x-%x\"".formatted(bytes, modifiedMillis);
    }
  }

  /**
   * A page of a listing.
   *
   * @param objects by key
   * @param prefixes common prefixes, each ending in the delimiter
   * @param next where the next page goes on; empty after the last
   */
  record Page(
      NavigableMap<String, StoredObject> objects, List<String> prefixes, Optional<String> next) {}

  private final NavigableMap<String, StoredObject> objects = new TreeMap<>();

  StoredObjects(Tables tables) {
    tables.files().forEach(this::add);
  }

  private void add(String table, InputFiles input) {
    for (Path file : InputFiles.dataFiles(input.folder()).toList()) {
      boolean isFile = file.equals(input.folder());
      String name = isFile ? file.getFileName().toString() : input.folder().relativize(file) + "";
      try {
        long millis = Files.getLastModifiedTime(file).toMillis();
        objects.put(table + "/" + name, new StoredObject(file, Files.size(file), millis));
      } catch (IOException e) {
        throw UserError.failure("cannot read " + file + ": " + e.getMessage());
      }
    }
  }

  Optional<StoredObject> find(String key) {
    return Optional.ofNullable(objects.get(behindFirst(key)));
  }

  /** The keys that begin with {@code prefix}, after {@code after}, at most so many. */
  Page list(String prefix, String delimiter, String after, int most) {
    String first = prefix.substring(0, prefix.length() - behindFirst(prefix).length());
    NavigableMap<String, StoredObject> found = new TreeMap<>();
    List<String> prefixes = new ArrayList<>();
    String last = after;
    for (var object : objects.tailMap(behindFirst(prefix)).entrySet()) {
      String key = first + object.getKey();
      if (!key.startsWith(prefix)) {
        break;
      }
      if (key.compareTo(last) <= 0 || (last.endsWith("/") && key.startsWith(last))) {
        continue;
      }
      if (found.size() + prefixes.size() == most) {
        return new Page(found, prefixes, Optional.of(last));
      }
      int cut = delimiter.isEmpty() ? -1 : key.indexOf(delimiter, prefix.length());
      last = cut < 0 ? key : key.substring(0, cut + 1);
      if (cut < 0) {
        found.put(key, object.getValue());
      } else {
        prefixes.add(last);
      }
    }
    return new Page(found, prefixes, Optional.empty());
  }

  private static String behindFirst(String key) {
    return key.substring(key.indexOf('/') + 1);
  }
}

package io.mooring.parquet.read;

import io.mooring.parquet.source.FileRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A Parquet file whose values change over and over while its footer stays, and which knows the
 * bytes that it could have had at any time. One thread changes it; others ask.
 */
final class VersionedFile {
  /** How it becomes another one. */
  enum Change {
    IN_PLACE(false),
    IN_PLACE_WITH_TIME_SET_BACK(true),
    WITH_ANOTHER_LENGTH(false),
    TRUNCATED(false),
    REPLACED(false),
    REPLACED_WITH_TIME_SET_BACK(true),
    DELETED(false);

    private final boolean setsTimeBack;

    Change(boolean setsTimeBack) {
      this.setsTimeBack = setsTimeBack;
    }
  }

  private static final int MAGIC_BYTES = 4;
  private static final int WRITE_BYTES = 64 << 10;

  private final Path path;
  private final List<byte[]> forms;
  private final List<Version> versions = new ArrayList<>();

  /** What the file holds from {@code begin} on, until the change after it has ended. */
  private final class Version {
    private final byte[] form;
    private final long seed;
    private final int length;
    private final long begin = System.nanoTime();
    private volatile long end = Long.MAX_VALUE;

    Version(byte[] form, long seed, int length) {
      this.form = form;
      this.seed = seed;
      this.length = length;
    }

    boolean isPossible(long from, long to) {
      return begin - to <= 0 && (end == Long.MAX_VALUE || end - from >= 0);
    }

    byte[] bytes() {
      byte[] bytes = Arrays.copyOf(form, length);
      byte[] values = new byte[form.length - MAGIC_BYTES - tailBytes(form)];
      new SplittableRandom(seed).nextBytes(values);
      int copied = Math.max(0, Math.min(values.length, length - MAGIC_BYTES));
      System.arraycopy(values, 0, bytes, Math.min(MAGIC_BYTES, length), copied);
      return bytes;
    }
  }

  /**
   * Writes the first version.
   *
   * @param forms Parquet files of different lengths, whose footers its versions have
   */
  VersionedFile(Path path, List<byte[]> forms, long seed) throws IOException {
    this.path = path;
    this.forms = forms;
    Version first = new Version(forms.get(0), seed, forms.get(0).length);
    versions.add(first);
    Files.write(path, first.bytes());
  }

  Path path() {
    return path;
  }

  /** The footer, its length, and the magic number. */
  private static int tailBytes(byte[] form) {
    int at = form.length - MAGIC_BYTES - Integer.BYTES;
    return ByteBuffer.wrap(form).order(ByteOrder.LITTLE_ENDIAN).getInt(at)
        + Integer.BYTES
        + MAGIC_BYTES;
  }

  /** Changes it. The versions before stay possible until the change has ended. */
  void change(Change how, long seed) throws IOException {
    Version before = last();
    boolean other = how == Change.WITH_ANOTHER_LENGTH;
    byte[] form = other ? forms.get(1 - forms.indexOf(before.form)) : before.form;
    Version after =
        switch (how) {
          case TRUNCATED -> new Version(form, before.seed, before.length / 2);
          case DELETED -> new Version(form, seed, 0);
          default -> new Version(form, seed, form.length);
        };
    synchronized (this) {
      versions.add(after);
    }
    apply(how, after.bytes());
    before.end = System.nanoTime();
  }

  private void apply(Change how, byte[] bytes) throws IOException {
    FileTime time = Files.exists(path) ? Files.getLastModifiedTime(path) : null;
    switch (how) {
      case DELETED -> Files.deleteIfExists(path);
      case REPLACED, REPLACED_WITH_TIME_SET_BACK -> {
        Path copy = Files.write(path.resolveSibling("_copy"), bytes);
        setBack(how, copy, time);
        Files.move(copy, path, StandardCopyOption.ATOMIC_MOVE);
      }
      default -> {
        writeInPlace(bytes);
        setBack(how, path, time);
      }
    }
  }

  private static void setBack(Change how, Path file, @Nullable FileTime time) throws IOException {
    if (how.setsTimeBack && time != null) {
      Files.setLastModifiedTime(file, time);
    }
  }

  /** By several writes, so that others may see some of them. */
  private void writeInPlace(byte[] bytes) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      while (left.position() < bytes.length) {
        left.limit(Math.min(bytes.length, left.position() + WRITE_BYTES));
        file.write(left);
      }
      file.truncate(bytes.length);
    }
  }

  private synchronized Version last() {
    return versions.get(versions.size() - 1);
  }

  /** Whether each of these bytes was the file's at some time between two times. */
  boolean had(FileRange range, byte[] bytes, long from, long to) {
    List<byte[]> possible;
    synchronized (this) {
      possible =
          versions.stream()
              .filter(version -> version.isPossible(from, to))
              .map(Version::bytes)
              .toList();
    }
    int offset = (int) range.offset();
    if (possible.stream().anyMatch(it -> mismatch(it, offset, bytes) < 0)) {
      return true;
    }
    return IntStream.range(0, bytes.length)
        .allMatch(
            i ->
                possible.stream()
                    .anyMatch(it -> offset + i < it.length && it[offset + i] == bytes[i]));
  }

  private static int mismatch(byte[] file, int offset, byte[] bytes) {
    int end = Math.min(file.length, offset + bytes.length);
    return Arrays.mismatch(file, Math.min(offset, end), end, bytes, 0, bytes.length);
  }
}

package io.mooring.parquet.read;

import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.footer.Footer;
import io.mooring.parquet.footer.Footers;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.UnitPlanner;
import io.mooring.parquet.verify.PageChecks;
import io.mooring.parquet.verify.SliceVerification;
import io.mooring.parquet.verify.UnitVerification;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Gives units to their verification as the read pipeline does, out of files in memory. */
final class VerifiedUnits {
  private static final int MOST_PIECES = 12;

  private VerifiedUnits() {}

  /** Whether the parquet-mr beside these tests is the 1.13 of Spark 3.5. */
  static boolean ofSpark3() {
    return org.apache.spark.package$.MODULE$.SPARK_VERSION().startsWith("3.");
  }

  /** All of a file as one unit. */
  static ReadUnit whole(Path path) throws Exception {
    Footer footer = Footers.read(ParquetFiles.at(path));
    List<String> columns =
        footer.schema().getFields().stream().map(column -> column.getName()).toList();
    List<Integer> all = IntStream.range(0, footer.rowGroups().size()).boxed().toList();
    return new UnitPlanner(ParquetFiles.at(path), footer, columns, Long.MAX_VALUE, 64)
        .plan(all)
        .get(0);
  }

  /** All pieces of a unit that is not uploaded to any device. */
  static List<UploadPiece> pieces(UnitUpload upload) {
    List<UploadPiece> pieces = new ArrayList<>();
    for (int i = 0; i < upload.unit().ranges().size(); i++) {
      pieces.addAll(upload.pieces(i, 0, 0));
    }
    return pieces;
  }

  static byte[][] bytes(Path... paths) throws IOException {
    byte[][] files = new byte[paths.length][];
    for (int i = 0; i < files.length; i++) {
      files[i] = Files.readAllBytes(paths[i]);
    }
    return files;
  }

  /** What is said of a unit whose ranges come whole and in order. */
  static void check(ReadUnit unit, PageChecks checks, byte[]... files) throws Exception {
    check(unit, checks, unit.ranges(), files);
  }

  /** The same where each byte comes alone, in order: nothing may depend on what is beside it. */
  static void checkByteByByte(ReadUnit unit, PageChecks checks, byte[]... files) throws Exception {
    List<FileRange> pieces = new ArrayList<>();
    for (FileRange range : unit.ranges()) {
      for (long at = range.offset(); at < range.end(); at++) {
        pieces.add(new FileRange(at, 1));
      }
    }
    check(unit, checks, pieces, files);
  }

  private static void check(
      ReadUnit unit, PageChecks checks, List<FileRange> pieces, byte[]... files) throws Exception {
    UnitVerification verification = ExpectedChunks.verification(unit, checks, CachedParts.NONE);
    for (FileRange range : pieces) {
      read(verification, unit, range, files);
    }
    verification.check();
  }

  /** Checks a unit in pieces of random sizes, read by several threads in random order. */
  static void checkInPieces(ReadUnit unit, Random random, int threads, byte[]... files)
      throws Exception {
    UnitVerification verification =
        ExpectedChunks.verification(unit, PageChecks.CHECKSUMS, CachedParts.NONE);
    List<FileRange> pieces = pieces(unit, random);
    Collections.shuffle(pieces, random);
    ExecutorService readers = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (FileRange piece : pieces) {
        done.add(readers.submit(() -> read(verification, unit, piece, files)));
      }
      for (Future<?> one : done) {
        one.get();
      }
    } finally {
      readers.shutdownNow();
    }
    verification.check();
  }

  private static Void read(
      UnitVerification verification, ReadUnit unit, FileRange range, byte[]... files)
      throws InterruptedException {
    byte[] buffer = copied(unit, range, files);
    SliceVerification piece = verification.of(range);
    piece.read(ByteBuffer.wrap(buffer));
    piece.finish(() -> false);
    // From here on the buffer is another's.
    Arrays.fill(buffer, (byte) 0x5a);
    return null;
  }

  private static List<FileRange> pieces(ReadUnit unit, Random random) {
    List<FileRange> pieces = new ArrayList<>();
    for (FileRange range : unit.ranges()) {
      long most = 1 + range.length() * unit.ranges().size() / MOST_PIECES;
      long at = range.offset();
      while (at < range.end()) {
        long bytes = Math.min(range.end() - at, 1 + random.nextLong(2 * most));
        pieces.add(new FileRange(at, bytes));
        at += bytes;
      }
    }
    return pieces;
  }

  private static byte[] copied(ReadUnit unit, FileRange range, byte[]... files) {
    byte[] file = files[unit.files().indexAt(range.offset())];
    int from = (int) unit.files().inFile(range).offset();
    return Arrays.copyOfRange(file, from, from + (int) range.length());
  }
}

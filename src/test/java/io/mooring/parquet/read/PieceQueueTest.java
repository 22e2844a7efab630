package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.jni.NativeLibrary;
import io.mooring.memory.PinnedPool;
import io.mooring.parquet.files.ParquetFiles;
import io.mooring.parquet.read.PieceQueue.Work;
import io.mooring.parquet.source.FileRanges;
import io.mooring.parquet.unit.ReadUnit;
import io.mooring.parquet.unit.ScanCounters;
import io.mooring.parquet.unit.ScanCounters.Counter;
import io.mooring.parquet.verify.PageChecks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The order in which I/O threads get their work, and that several of them bring every byte. */
@Timeout(60)
class PieceQueueTest {
  private static final long MIB = 1 << 20;
  private static final long PIECE = 5 * MIB;

  @TempDir static Path folder;
  private static Path file;
  private final ScanCounters counters = new ScanCounters();
  // Bytes in the pool of other tests, if there is one.
  private final long inUseBefore = PinnedPool.stats().bytesInUse();

  @BeforeAll
  static void write() throws IOException {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    file = folder.resolve("file.parquet");
    ParquetFiles.write(file, 900_000, Long.MAX_VALUE, false, CompressionCodecName.UNCOMPRESSED);
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(PinnedPool.stats().bytesInUse()).isLessThan(inUseBefore + MIB);
  }

  private UnitUpload upload() throws Exception {
    ReadUnit unit = VerifiedUnits.whole(file);
    return new UnitUpload(
        unit, CachedParts.NONE, PageChecks.CHECKSUMS, counters, ParquetFiles.CONF, PIECE, PIECE);
  }

  @Test
  void aPieceIsReadSliceBySliceBeforeTheNextIsOpened() throws Exception {
    try (ReadBySelf work =
        new ReadBySelf(new PieceQueue(2 * PIECE), VerifiedUnits.pieces(upload()))) {
      UploadPiece first = work.open();
      assertThat(first.slices()).hasSize(3);
      assertThat(first.slices())
          .extracting(slice -> slice.range().length() / MIB)
          .containsExactly(2L, 2L, 1L);
      work.read(first);
      UploadPiece second = work.open();
      assertThat(second.slices().get(0).range().offset())
          .isEqualTo(first.slices().get(2).range().end());
    }
  }

  @Test
  void copiesAreWaitedForWhereNoMorePiecesMayBeOpen() throws Exception {
    PieceQueue queue = new PieceQueue(2 * PIECE + MIB);
    try (ReadBySelf work = new ReadBySelf(queue, VerifiedUnits.pieces(upload()))) {
      UploadPiece first = work.open();
      work.read(first);
      work.read(work.open());
      assertThat(queue.next()).isEqualTo(new Work.Finish(first));
      work.finish(first);
      work.read(work.open());
    }
  }

  @Test
  void aPieceBeyondTheBoundComesAlone() throws Exception {
    PieceQueue queue = new PieceQueue(MIB);
    try (ReadBySelf work = new ReadBySelf(queue, VerifiedUnits.pieces(upload()))) {
      UploadPiece first = work.open();
      work.read(first);
      assertThat(queue.next()).isEqualTo(new Work.Finish(first));
      work.finish(first);
      work.read(work.open());
    }
  }

  @Test
  void piecesThatNobodyWantsTakeNoRoom() throws Exception {
    PieceQueue queue = new PieceQueue(MIB);
    UnitUpload unwanted = upload();
    try (ReadBySelf work = new ReadBySelf(queue, VerifiedUnits.pieces(upload()))) {
      work.read(work.open());
      unwanted.state().pieceFailed(new IOException("for a test"));
      UploadPiece piece = VerifiedUnits.pieces(unwanted).get(0);
      queue.submit(List.of(new PieceQueue.Waiting(piece, -1, 0)));
      assertThat(queue.next()).isEqualTo(new Work.Open(piece));
      assertThat(piece.takeBuffer(true)).isTrue();
      assertThat(piece.startCopy(() -> {})).isFalse();
      queue.closed(piece);
    }
  }

  @Test
  void whatATaskWaitsForComesBeforeWhatIsReadAhead() throws Exception {
    List<UploadPiece> pieces = VerifiedUnits.pieces(upload());
    PieceQueue queue = new PieceQueue(Long.MAX_VALUE);
    queue.submit(
        List.of(
            new PieceQueue.Waiting(pieces.get(0), 1, 0),
            new PieceQueue.Waiting(pieces.get(1), 0, 2),
            new PieceQueue.Waiting(pieces.get(2), 0, 1)));
    List<Work> order = List.of(queue.next(), queue.next(), queue.next());
    assertThat(order)
        .containsExactly(
            new Work.Open(pieces.get(2)),
            new Work.Open(pieces.get(1)),
            new Work.Open(pieces.get(0)));
  }

  @Test
  void aCopyThatIsNotDoneIsTheOldestAgain() throws Exception {
    List<UploadPiece> pieces = VerifiedUnits.pieces(upload());
    PieceQueue queue = new PieceQueue(Long.MAX_VALUE);
    queue.copying(pieces.get(0));
    queue.copying(pieces.get(1));
    UploadPiece oldest = queue.takeOldestCopy();
    assertThat(oldest).isSameAs(pieces.get(0));
    queue.notCopied(pieces.get(0));
    assertThat(queue.takeOldestCopy()).isSameAs(pieces.get(0));
    assertThat(queue.takeOldestCopy()).isSameAs(pieces.get(1));
    assertThat(queue.takeOldestCopy()).isNull();
  }

  /** Every page is checked against its checksum: no byte is at a wrong place. */
  @Test
  void severalThreadsBringEveryByteOnce() throws Exception {
    Random random = new Random();
    for (int round = 0; round < 5; round++) {
      try (UnitUpload upload = upload();
          ReadByThreads threads = new ReadByThreads(1 + random.nextInt(6), 2 * PIECE)) {
        List<UploadPiece> pieces = VerifiedUnits.pieces(upload);
        Collections.shuffle(pieces.subList(pieces.size() / 2, pieces.size()), random);
        threads.submit(pieces);
        upload.await(() -> {});
        assertThat(threads.mostOpenBytes()).isBetween(PIECE, 2 * PIECE);
        threads.assertNothingOpen();
      }
      assertThat(counters.value(Counter.BYTES_READ)).isEqualTo((round + 1) * unitBytes());
    }
  }

  private static long unitBytes() throws Exception {
    return FileRanges.totalBytes(VerifiedUnits.whole(file).ranges());
  }

  @Test
  void aFileThatEndsTooEarlyFailsItsUnitAndNoOther() throws Exception {
    Path cut = folder.resolve("cut.parquet");
    java.nio.file.Files.copy(file, cut);
    ReadUnit unit = VerifiedUnits.whole(cut);
    try (ReadByThreads threads = new ReadByThreads(4, 2 * PIECE)) {
      try (UnitUpload upload =
              new UnitUpload(
                  unit,
                  CachedParts.NONE,
                  PageChecks.NONE,
                  counters,
                  ParquetFiles.CONF,
                  PIECE,
                  PIECE);
          FileChannel channel = FileChannel.open(cut, StandardOpenOption.WRITE)) {
        channel.truncate(unitBytes() / 2);
        threads.submit(VerifiedUnits.pieces(upload));
        assertThatThrownBy(() -> upload.await(() -> {}))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("ends");
      }
      try (UnitUpload upload = upload()) {
        threads.submit(VerifiedUnits.pieces(upload));
        upload.await(() -> {});
      }
      threads.assertNothingOpen();
    }
  }
}

package io.mooring.benchmarks.worker.jvm;

import io.mooring.jni.FileJni;
import io.mooring.memory.HostBuffer;
import io.mooring.memory.HostMemory;
import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.unit.ReadUnit;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads every byte into buffers of the pool, and does nothing with it: what the files, or the page
 * cache, give at most.
 */
final class ReadStep implements PipelineStep {

  /** Bytes that the pipeline's I/O threads read at once. */
  private static final long PIECE_BYTES = 2L << 20;

  private record Piece(int descriptor, long offset, long bytes) {}

  private final PlannedFiles data;
  private final int threads;
  private final Map<String, Integer> descriptors = new HashMap<>();
  private final List<Piece> pieces = new ArrayList<>();

  /** Reads with so many I/O threads, whatever the number of tasks. */
  ReadStep(PlannedFiles data, int threads) {
    this.data = data;
    this.threads = threads;
  }

  @Override
  public void prepare() throws IOException {
    for (ReadUnit unit : data.units()) {
      String path = unit.files().files().get(0).hadoopPath().toUri().getPath();
      if (!descriptors.containsKey(path)) {
        descriptors.put(path, FileJni.open(path));
      }
      for (FileRange range : unit.ranges()) {
        cut(descriptors.get(path), range);
      }
    }
  }

  private void cut(int descriptor, FileRange range) {
    for (long done = 0; done < range.length(); done += PIECE_BYTES) {
      long bytes = Math.min(PIECE_BYTES, range.length() - done);
      pieces.add(new Piece(descriptor, range.offset() + done, bytes));
    }
  }

  @Override
  public Done run(int tasks) throws Exception {
    AtomicInteger next = new AtomicInteger();
    ThreadTeam.work(
        threads,
        number -> {
          for (int i = next.getAndIncrement(); i < pieces.size(); i = next.getAndIncrement()) {
            read(pieces.get(i));
          }
        });
    return new Done(data.bytes(), Map.of());
  }

  private static void read(Piece piece) throws IOException {
    try (HostBuffer buffer = HostMemory.allocate(piece.bytes())) {
      long read = FileJni.read(piece.descriptor(), piece.offset(), buffer.address(), piece.bytes());
      if (read != piece.bytes()) {
        throw new EOFException("a file ends before its footer says");
      }
    }
  }

  @Override
  public void finish() {
    descriptors.values().forEach(FileJni::close);
    descriptors.clear();
    pieces.clear();
  }
}

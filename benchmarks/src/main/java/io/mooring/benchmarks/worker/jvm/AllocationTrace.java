package io.mooring.benchmarks.worker.jvm;

import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.process.NativeBuild;
import io.mooring.jni.PoolJni;
import io.mooring.memory.PinnedPool;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;

/**
 * Records what the pool of this process hands out, Java's buffers and libcudf's blocks. A library
 * of its own stands in front of the pool's native methods and of libcudf's pinned resource; the
 * pool knows nothing of it. Thread-safe.
 */
public final class AllocationTrace {
  private static final Charset NAMES =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

  private AllocationTrace() {}

  /**
   * Builds the library.
   *
   * @param log to which everything that CMake says is appended
   */
  public static Path build(Path log) {
    Path folder = NativeBuild.peersFolder();
    if (!NativeBuild.make(folder, true, "pool_trace", log)) {
      throw UserError.failure("the recorder of --trace-out could not be built; see " + log);
    }
    return folder.resolve("libpool_trace.so");
  }

  /**
   * Forgets what was recorded, and records from now on: 32 bytes of memory for each allocation and
   * each free.
   *
   * @throws IllegalStateException when no pool was started
   */
  static void start(Path library) {
    if (!PinnedPool.isStarted()) {
      throw new IllegalStateException("The pool has not been started");
    }
    System.load(library.toString());
    record(PoolJni.class);
  }

  /** Ends the recording, and writes it in the format of trace_recorder.hpp. */
  static void write(Path file) throws IOException {
    writeNamed(file.toString().getBytes(NAMES));
  }

  private static native void record(Class<?> pool);

  private static native void writeNamed(byte[] file) throws IOException;
}

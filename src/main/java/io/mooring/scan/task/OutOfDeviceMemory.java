package io.mooring.scan.task;

import java.util.Locale;

/** Recognizes failures for want of device memory. */
public final class OutOfDeviceMemory {
  private OutOfDeviceMemory() {}

  /** RMM's reach Java as an error; CUDA's and those of libraries only say it in their text. */
  public static boolean is(Throwable failure) {
    if (failure instanceof OutOfMemoryError) {
      return true;
    }
    String text = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    return text.contains("out of memory")
        || text.contains("out_of_memory")
        || text.contains("cudaerrormemoryallocation");
  }
}

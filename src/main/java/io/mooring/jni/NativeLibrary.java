package io.mooring.jni;

import ai.rapids.cudf.NativeDepsLoader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** Loads the native code that lies in the jar. Thread-safe; each library is loaded once. */
public final class NativeLibrary {
  private static boolean loaded;
  private static boolean registrationLoaded;
  private static @Nullable String problem;

  private NativeLibrary() {}

  /** Loads libmooring.so, which needs neither a GPU nor libcudf; false when it cannot. */
  public static synchronized boolean load() {
    if (!loaded && problem == null) {
      try {
        load("libmooring.so");
        loaded = true;
      } catch (IOException | LinkageError e) {
        problem = "libmooring.so cannot be loaded: " + e.getMessage();
      }
    }
    return loaded;
  }

  /** Why {@link #load} failed, or null. */
  public static synchronized @Nullable String problem() {
    return problem;
  }

  /**
   * Loads cudf's own libraries, which takes seconds, and then libmooring_cudf.so.
   *
   * @throws IOException when one cannot be unpacked
   * @throws LinkageError when it does not fit libcudf
   */
  public static synchronized void loadRegistration() throws IOException {
    if (registrationLoaded) {
      return;
    }
    if (!load()) {
      throw new IOException(problem);
    }
    NativeDepsLoader.loadNativeDeps();
    load("libmooring_cudf.so");
    registrationLoaded = true;
  }

  private static void load(String file) throws IOException {
    String resource =
        System.getProperty("os.arch") + "/" + System.getProperty("os.name") + "/" + file;
    try (InputStream in = NativeLibrary.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("the jar holds no " + resource);
      }
      Path copy = Files.createTempFile("mooring-", "-" + file);
      try {
        Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
        System.load(copy.toString());
      } finally {
        // The mapping outlives the name.
        Files.delete(copy);
      }
    }
  }
}

package io.mooring.benchmarks.pool;

import io.mooring.benchmarks.cli.HarnessHome;
import io.mooring.benchmarks.process.ProcessException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** libcudf.so out of the cudf jar on the class path: half a gigabyte, kept for the next run. */
final class LibcudfFile {

  private LibcudfFile() {}

  /** The file, unpacked if it is not there yet. */
  static Path unpacked() {
    String resource =
        System.getProperty("os.arch") + "/" + System.getProperty("os.name") + "/libcudf.so";
    URL packed = LibcudfFile.class.getClassLoader().getResource(resource);
    if (packed == null) {
      throw new ProcessException.Unavailable("the class path holds no " + resource);
    }
    Path file = HarnessHome.folder().resolve("target/libcudf/libcudf.so");
    try {
      URLConnection connection = packed.openConnection();
      if (!Files.exists(file) || Files.size(file) != connection.getContentLengthLong()) {
        unpack(connection, file);
      }
      return file;
    } catch (IOException e) {
      throw new ProcessException.Unavailable("libcudf.so cannot be unpacked: " + e.getMessage());
    }
  }

  private static void unpack(URLConnection from, Path file) throws IOException {
    Files.createDirectories(file.getParent());
    try (InputStream in = from.getInputStream()) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}

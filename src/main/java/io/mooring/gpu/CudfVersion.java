package io.mooring.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Checks that the cudf on the class path is the one that the native code was built with. */
final class CudfVersion {
  private static final String CUDF_RESOURCE = "cudf-java-version-info.properties";
  private static final String BUILD_RESOURCE = "mooring-build.properties";

  private CudfVersion() {}

  /** The cudf version that this jar was built with. */
  static String expected() {
    try (InputStream in = CudfVersion.class.getClassLoader().getResourceAsStream(BUILD_RESOURCE)) {
      return version(in, "cudf.version");
    } catch (IOException e) {
      throw new IllegalStateException(BUILD_RESOURCE + " cannot be read", e);
    }
  }

  /** Why the cudf that {@code loader} finds cannot be used, or null. */
  static @Nullable String problem(ClassLoader loader) {
    try {
      List<URL> found = Collections.list(loader.getResources(CUDF_RESOURCE));
      if (found.isEmpty()) {
        return "there is no cudf on the class path; add the jar of ai.rapids:cudf " + expected();
      }
      for (URL url : found) {
        try (InputStream in = url.openStream()) {
          String version = version(in, "version");
          if (!version.equals(expected())) {
            return String.format(
                "cudf %s is on the class path (%s) and Mooring was built with cudf %s;"
                    + " put that version's jar there",
                version, url, expected());
          }
        }
      }
      return null;
    } catch (IOException e) {
      return "the version of the cudf on the class path cannot be read: " + e.getMessage();
    }
  }

  private static String version(@Nullable InputStream in, String key) throws IOException {
    Properties properties = new Properties();
    if (in != null) {
      properties.load(in);
    }
    return properties.getProperty(key, "unknown");
  }
}

package io.mooring.conf;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/**
 * The versions of this jar and of the cudf that it was built with, as its build wrote them down.
 */
public final class MooringVersion {
  private static final String RESOURCE = "/mooring-build.properties";

  private MooringVersion() {}

  /** The version, such as 0.1.0; "unknown" in a jar that was repacked without the file. */
  public static String get() {
    return property("version");
  }

  /** The version of cudf, such as 26.08.1; "unknown" as above. */
  public static String cudf() {
    return property("cudf.version");
  }

  private static String property(String key) {
    Properties build = new Properties();
    try (InputStream file = MooringVersion.class.getResourceAsStream(RESOURCE)) {
      if (file != null) {
        build.load(file);
      }
    } catch (IOException e) {
      // The same as no file.
      build.clear();
    }
    return build.getProperty(key, "unknown");
  }
}

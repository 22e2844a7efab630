package io.mooring.conf;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The version of this jar, as its build wrote it down. */
public final class MooringVersion {
  private static final String RESOURCE = "/mooring-build.properties";

  private MooringVersion() {}

  /** Such as 0.1.0; "unknown" in a jar that somebody has repacked without the file. */
  public static String get() {
    Properties build = new Properties();
    try (InputStream file = MooringVersion.class.getResourceAsStream(RESOURCE)) {
      if (file != null) {
        build.load(file);
      }
    } catch (IOException e) {
      // The same as no file.
      build.clear();
    }
    return build.getProperty("version", "unknown");
  }
}

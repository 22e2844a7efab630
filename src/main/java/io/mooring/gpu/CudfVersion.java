package io.mooring.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks, without loading anything native, that the cudf on the class path is the one that our
 * native code was built with.
 */
final class CudfVersion {
  private static final Logger LOG = LoggerFactory.getLogger(CudfVersion.class);
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

  /**
   * Passes when {@code loader} finds cudf, and nowhere in another version than {@link #expected}.
   * More than one cudf is warned of, even where all are right.
   *
   * @throws UnusableGpuException naming all versions, where they are, and what to do
   */
  static void check(ClassLoader loader) throws UnusableGpuException {
    Map<String, String> versions = versions(loader);
    if (versions.isEmpty()) {
      throw new UnusableGpuException(
          "there is no cudf on the class path; add the jar of ai.rapids:cudf:" + expected());
    }
    if (versions.size() > 1) {
      LOG.warn(
          "There is more than one cudf on the class path: {}. Leave one, of ai.rapids:cudf:{}",
          text(versions),
          expected());
    }
    if (!versions.values().stream().allMatch(expected()::equals)) {
      throw new UnusableGpuException(
          String.format(
              "%s is on the class path, but Mooring was built with cudf %s;"
                  + " have the jar of ai.rapids:cudf:%s there, and no other",
              text(versions), expected(), expected()));
    }
  }

  private static String text(Map<String, String> versions) {
    return versions.entrySet().stream()
        .map(jar -> "cudf " + jar.getValue() + " (" + jar.getKey() + ")")
        .collect(Collectors.joining(" and "));
  }

  /** By the place of each cudf that the loader finds: its version. */
  private static Map<String, String> versions(ClassLoader loader) throws UnusableGpuException {
    Map<String, String> versions = new LinkedHashMap<>();
    try {
      List<URL> found = Collections.list(loader.getResources(CUDF_RESOURCE));
      for (URL url : found) {
        try (InputStream in = url.openStream()) {
          versions.put(place(url), version(in, "version"));
        }
      }
      return versions;
    } catch (IOException e) {
      throw new UnusableGpuException(
          "the version of the cudf on the class path cannot be read: " + e.getMessage());
    }
  }

  /** The jar or folder that holds the resource. */
  private static String place(URL url) {
    String text = url.toString().replaceFirst("^jar:", "").replaceFirst("^file:", "");
    return text.replaceFirst("!?/" + CUDF_RESOURCE + "$", "");
  }

  private static String version(@Nullable InputStream in, String key) throws IOException {
    Properties properties = new Properties();
    if (in != null) {
      properties.load(in);
    }
    return properties.getProperty(key, "unknown");
  }
}

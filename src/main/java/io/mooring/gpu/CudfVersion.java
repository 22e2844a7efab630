package io.mooring.gpu;

import io.mooring.conf.MooringVersion;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks, without loading a native library, that the cudf on the class path is the version that
 * Mooring's native code was built with.
 */
final class CudfVersion {
  private static final Logger LOG = LoggerFactory.getLogger(CudfVersion.class);
  private static final String CUDF_RESOURCE = "cudf-java-version-info.properties";

  private CudfVersion() {}

  /**
   * Passes when {@code loader} finds cudf in the version {@link MooringVersion#cudf}, and in no
   * other version. Warns of several copies of cudf, even if all have the right version.
   *
   * @throws UnusableGpuException naming all versions, where they are, and what to do
   */
  static void check(ClassLoader loader) throws UnusableGpuException {
    Map<String, String> versions = versions(loader);
    if (versions.isEmpty()) {
      throw new UnusableGpuException(
          "there is no cudf on the class path; add the jar of ai.rapids:cudf:"
              + MooringVersion.cudf());
    }
    if (versions.size() > 1) {
      LOG.warn(
          "There is more than one cudf on the class path: {}. Keep only the jar of ai.rapids:cudf:{}",
          text(versions),
          MooringVersion.cudf());
    }
    if (!versions.values().stream().allMatch(MooringVersion.cudf()::equals)) {
      throw new UnusableGpuException(
          String.format(
              "%s is on the class path, but Mooring was built with cudf %s;"
                  + " keep only the jar of ai.rapids:cudf:%s there",
              text(versions), MooringVersion.cudf(), MooringVersion.cudf()));
    }
  }

  private static String text(Map<String, String> versions) {
    return versions.entrySet().stream()
        .map(jar -> "cudf " + jar.getValue() + " (" + jar.getKey() + ")")
        .collect(Collectors.joining(" and "));
  }

  /** The version of each cudf that the loader finds, by its place. */
  private static Map<String, String> versions(ClassLoader loader) throws UnusableGpuException {
    Map<String, String> versions = new LinkedHashMap<>();
    try {
      List<URL> found = Collections.list(loader.getResources(CUDF_RESOURCE));
      for (URL url : found) {
        try (InputStream in = url.openStream()) {
          versions.put(place(url), version(in));
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

  private static String version(InputStream in) throws IOException {
    Properties properties = new Properties();
    properties.load(in);
    return properties.getProperty("version", "unknown");
  }
}

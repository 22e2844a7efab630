package io.mooring.scan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The paths in a read's options: {@code path}, and {@code paths} as a JSON list. */
final class PathOptions {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PathOptions() {}

  static List<String> paths(CaseInsensitiveStringMap options) {
    List<String> paths = new ArrayList<>();
    String list = options.get("paths");
    if (list != null) {
      try {
        paths.addAll(List.of(JSON.readValue(list, String[].class)));
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException("Option 'paths' is not a JSON list: " + list, e);
      }
    }
    String path = options.get("path");
    if (path != null) {
      paths.add(path);
    }
    return paths;
  }
}

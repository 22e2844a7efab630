package io.mooring.benchmarks.scan;

import com.fasterxml.jackson.core.type.TypeReference;
import io.mooring.benchmarks.query.TextDigest;
import io.mooring.benchmarks.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What Spark's own reader has answered over generated tables: they do not change, so that it need
 * not be asked again. Each query's rows are a file in a hidden folder of the tables.
 *
 * @param folder where the files are; empty where the tables may change
 * @param basis what else the rows depend on: the version of Spark, and its settings
 */
record StoredResults(Optional<Path> folder, String basis) {

  private static final String FOLDER = "_expected-results";
  private static final TypeReference<List<List<Object>>> ROWS = new TypeReference<>() {};

  /** The results of these tables, as this version of Spark gives them under these settings. */
  static StoredResults of(Optional<Path> tables, String sparkVersion, Map<String, String> conf) {
    return new StoredResults(
        tables.map(it -> it.resolve(FOLDER)), sparkVersion + '\n' + new TreeMap<>(conf));
  }

  /** The rows of a query, which is asked for them if they are not stored yet. */
  List<List<Object>> rows(String sql, Function<String, List<List<Object>>> spark) {
    if (folder.isEmpty()) {
      return spark.apply(sql);
    }
    Path file = folder.get().resolve(TextDigest.sha256(basis + '\n' + sql) + ".json");
    try {
      return Json.REPORT.readValue(Files.readAllBytes(file), ROWS);
    } catch (IOException e) {
      List<List<Object>> rows = spark.apply(sql);
      store(rows, file);
      return rows;
    }
  }

  /** Without room or permission the next run asks again. */
  private static void store(List<List<Object>> rows, Path file) {
    try {
      Files.createDirectories(file.getParent());
      Path partial = Files.createTempFile(file.getParent(), "partial", ".json");
      try {
        Json.REPORT.writeValue(partial.toFile(), rows);
        Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(partial);
      }
    } catch (IOException e) {
      System.err.println("Cannot store the expected results: " + e);
    }
  }
}

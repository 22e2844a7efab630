package io.mooring.benchmarks.data;

import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.query.ScanQuery;
import io.mooring.benchmarks.report.RecordedArguments;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The tables under the queries: files, and views over them.
 *
 * @param files by the name of the view that they are
 * @param views further views, as statements of the user's that create them, in their order
 */
public record Tables(Map<String, InputFiles> files, List<String> views) {

  private static final Pattern NAMED = Pattern.compile("([A-Za-z_]\\w*)=(.+)");
  private static final Pattern VIEW = Pattern.compile("(?i)\\bview\\s+`?(\\w+)");

  /** Tables that are files alone. */
  public Tables(Map<String, InputFiles> files) {
    this(files, List.of());
  }

  /** These tables with views over them. */
  public Tables withViews(List<String> statements) {
    return new Tables(files, statements);
  }

  /** The one table of the harness's own queries. */
  public static Tables of(InputFiles files) {
    return new Tables(Map.of(ScanQuery.VIEW, files));
  }

  /** Folders as the user names them: {@code TABLE=DIR}, or {@code DIR} for store_sales. */
  public static Tables named(List<String> texts) {
    Map<String, InputFiles> files = new LinkedHashMap<>();
    for (String text : texts) {
      var named = NAMED.matcher(text);
      String table = named.matches() ? named.group(1) : ScanQuery.VIEW;
      Path folder = Path.of(named.matches() ? named.group(2) : text);
      if (files.put(table, InputFiles.in(folder)) != null) {
        throw UserError.usage("--data names the table " + table + " twice");
      }
    }
    return new Tables(files);
  }

  /** The addresses of the folders as Spark's reader takes them, by the name of the view. */
  public Map<String, String> locations() {
    Map<String, String> locations = new LinkedHashMap<>();
    files.forEach((table, input) -> locations.put(table, input.location()));
    return locations;
  }

  /** The format of a table. */
  public TableFormat format(String table) {
    return files.get(table).format();
  }

  /** Settings without which Spark does not read the tables. */
  public Map<String, String> conf() {
    Map<String, String> conf = new LinkedHashMap<>();
    files.values().forEach(table -> conf.putAll(table.format().conf()));
    return conf;
  }

  /** Whether all of them are files without a log. */
  public boolean areFilesAlone() {
    return files.values().stream().allMatch(it -> it.format() == TableFormat.PARQUET);
  }

  /** The paths of all data files. */
  public List<Path> paths() {
    return files.values().stream().flatMap(table -> InputFiles.dataFiles(table.folder())).toList();
  }

  /** Bytes of the tables that a query names, or a view that it names. */
  public long bytesUnder(String sql) {
    StringBuilder texts = new StringBuilder(sql);
    // A view may name those before it.
    for (int i = views.size() - 1; i >= 0; i--) {
      var view = VIEW.matcher(views.get(i));
      if (view.find() && names(texts, view.group(1))) {
        texts.append(' ').append(views.get(i));
      }
    }
    return files.entrySet().stream()
        .filter(table -> names(texts, table.getKey()))
        .mapToLong(table -> table.getValue().bytes())
        .sum();
  }

  private static boolean names(CharSequence sql, String table) {
    return Pattern.compile("(?i)\\b" + table + "\\b").matcher(sql).find();
  }

  /** Bytes of all tables. */
  public long bytes() {
    return files.values().stream().mapToLong(InputFiles::bytes).sum();
  }

  /** The folders' names, without where they lie. */
  public String folders() {
    return files.values().stream()
        .map(table -> RecordedArguments.name(table.folder()))
        .collect(Collectors.joining(", "));
  }

  /** The folder of each table without its parent, its files and their bytes, for the report. */
  public Map<String, Object> described() {
    Map<String, Object> all = new LinkedHashMap<>();
    files.forEach(
        (table, input) ->
            all.put(
                table,
                Map.of(
                    "data",
                    RecordedArguments.name(input.folder()),
                    "format",
                    input.format().source(),
                    "files",
                    input.files(),
                    "bytes",
                    input.bytes())));
    return all;
  }
}

package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.datasource.PlannedScan;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.scan.split.FileSplit;
import io.mooring.testing.WithAndWithout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Delta table that was copied: its files have other times than its log says. */
class DeltaCopiesTest extends DeltaFileChoices {
  private static final FileTime COPIED = FileTime.fromMillis(1_700_000_000_000L);

  @ParameterizedTest
  @ValueSource(strings = {"id, k", "id, k, _metadata.file_modification_time"})
  void filesOfACopy_areThoseOfTheLog(String columns) throws Exception {
    Path table = copied("copy_" + columns.length());
    String sql = "select " + columns + " from delta.`" + table + "`";
    WithAndWithout.run(spark, sql).assertOurs();
    List<ParquetFile> files = filesOf(spark.sql(sql));
    assertThat(files).hasSize(3);
    FileSystem local = FileSystem.getLocal(new Configuration());
    for (ParquetFile file : files) {
      assertThat(local.getFileStatus(file.hadoopPath()).getModificationTime())
          .isEqualTo(COPIED.toMillis())
          .isNotEqualTo(file.modificationTime());
      assertThat(file.statusIfUnchanged(local).getLen()).isEqualTo(file.length());
    }
    ParquetFile longer = files.get(0);
    Path path = Path.of(longer.hadoopPath().toUri().getPath());
    Files.write(path, new byte[] {1}, StandardOpenOption.APPEND);
    assertThatThrownBy(() -> longer.statusIfUnchanged(local))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was written again after it was listed");
  }

  private static List<ParquetFile> filesOf(Dataset<Row> query) {
    return PlannedScan.splits(query).stream().map(FileSplit::file).toList();
  }

  /** A table of three files, of which each has the time of its copy. */
  private Path copied(String name) throws IOException {
    Path written = folder.resolve(name + "-written");
    spark
        .range(0, 1000, 1, 3)
        .selectExpr("id", "id % 7 k")
        .write()
        .format("delta")
        .save(written.toString());
    Path copy = folder.resolve(name);
    List<Path> all = new ArrayList<>();
    try (var paths = Files.walk(written)) {
      paths.forEach(all::add);
    }
    for (Path path : all) {
      Path to = copy.resolve(written.relativize(path).toString());
      Files.copy(path, to);
      if (path.toString().endsWith(".parquet")) {
        Files.setLastModifiedTime(to, COPIED);
      }
    }
    return copy;
  }
}

package io.mooring.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.parquet.source.FileState;
import io.mooring.parquet.source.ParquetFile;
import io.mooring.parquet.source.RequestCounts;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hive, which Spark's downloads have on the class path, brings a file system of its own. */
@Tag("tables")
class HiveLocalFilesTest {
  @TempDir static Path folder;

  @Test
  void localFilesAreLocalWithHiveOnTheClassPath() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[] {1, 2, 3});
    Configuration conf = new Configuration();
    FileSystem fs = FileSystem.get(file.toUri(), conf);
    assertThat(fs.getClass().getSimpleName()).isEqualTo("ProxyLocalFileSystem");
    ParquetFile listed =
        ParquetFile.of(fs.getFileStatus(new org.apache.hadoop.fs.Path(file.toUri())));
    FileState state = FileState.now(listed, conf, RequestCounts.NONE);
    assertThat(state.isLocal()).isTrue();
    assertThat(state).isEqualTo(FileState.beforeReading(listed, conf));
  }
}

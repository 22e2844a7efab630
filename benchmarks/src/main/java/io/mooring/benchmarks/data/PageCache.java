package io.mooring.benchmarks.data;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The input files in the kernel's page cache.
 *
 * @param files that the queries read
 * @param cold true when they leave the cache before each run
 */
public record PageCache(List<Path> files, boolean cold) {

  /** Cached pages beyond this, in percent, and a run does not count as cold. */
  public static final int COLD_AT_MOST = 2;

  private static final int SAMPLED_FILES = 64;
  private static final int SAMPLED_PAGES = 32;
  private static final int PAGE = 4096;

  /** sync first: pages that are not yet on the disk cannot leave. dd tells the kernel to drop. */
  private static final String DROP =
      "for f; do sync -d \"$f\"; dd if=\"$f\" iflag=nocache count=0 2>/dev/null; done";

  /** Makes the cache as it should be, and returns how much of the files is in it, in percent. */
  public int prepare() {
    if (cold) {
      drop();
    }
    return cachedPercent();
  }

  private void drop() {
    List<String> command = new ArrayList<>(List.of("sh", "-c", DROP, "sh"));
    files.forEach(file -> command.add(file.toString()));
    try {
      new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      // No sh here: how much is cached tells that it did not work.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The percentage of the files in the page cache, by a sample of pages; 100 where it is unknown.
   */
  int cachedPercent() {
    long pages = 0;
    long cached = 0;
    int step = (files.size() + SAMPLED_FILES - 1) / SAMPLED_FILES;
    for (int i = 0; i < files.size(); i += Math.max(1, step)) {
      try (FileChannel channel = FileChannel.open(files.get(i))) {
        long bytes = Math.min(channel.size(), Integer.MAX_VALUE);
        MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes);
        int sampled = (int) Math.min(SAMPLED_PAGES, bytes / PAGE);
        for (int page = 0; page < sampled; page++) {
          int at = (int) (bytes / sampled * page / PAGE * PAGE);
          pages++;
          cached += map.slice(at, 1).isLoaded() ? 1 : 0;
        }
      } catch (IOException e) {
        return 100;
      }
    }
    return pages == 0 ? 100 : (int) Math.round(100.0 * cached / pages);
  }
}

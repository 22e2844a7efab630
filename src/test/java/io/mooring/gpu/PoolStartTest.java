package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.cache.CacheLimits;
import io.mooring.conf.AutoDefaults;
import io.mooring.conf.ExecutorMemory;
import io.mooring.conf.MooringConf;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What of the pool the cache is given, by the settings. */
class PoolStartTest {
  private static final long GIB = 1L << 30;
  private static final String CACHE = "spark.mooring.cache.size";
  private static final String POOL = "spark.mooring.pinnedPool.size";

  private static final CacheLimits OF_REMOTE_FILES =
      CacheLimits.ofRemoteFiles(AutoDefaults.cacheBytes(8 * GIB));

  private static CacheLimits limits(Map<String, String> settings) {
    ExecutorMemory memory = new ExecutorMemory(64 * GIB, true, GIB, 0, 1);
    return new PoolStart(MooringConf.from(settings), memory).cacheLimits();
  }

  @Test
  void partOfThePoolIsForRemoteFilesByDefault() {
    assertThat(limits(Map.of(POOL, "8g"))).isEqualTo(OF_REMOTE_FILES);
    assertThat(limits(Map.of(POOL, "8g", CACHE, "auto"))).isEqualTo(limits(Map.of(POOL, "8g")));
  }

  @Test
  void aSizeIsForAllFilesAndAtMostThePool() {
    assertThat(limits(Map.of(POOL, "8g", CACHE, "7g"))).isEqualTo(CacheLimits.ofAllFiles(7 * GIB));
    assertThat(limits(Map.of(POOL, "8g", CACHE, "9g"))).isEqualTo(CacheLimits.ofAllFiles(8 * GIB));
  }

  /** What the pool may grow to is for those who need it. */
  @Test
  void theCacheIsMeasuredByThePoolBeforeItGrows() {
    assertThat(limits(Map.of(POOL, "8g", "spark.mooring.pinnedPool.maxSize", "16g")))
        .isEqualTo(OF_REMOTE_FILES);
  }

  @Test
  void thereIsNoneWithoutAPoolOrWhereItIsOff() {
    assertThat(limits(Map.of(POOL, "0")).mostBytes()).isZero();
    assertThat(limits(Map.of(POOL, "0", CACHE, "4g")).mostBytes()).isZero();
    assertThat(limits(Map.of(POOL, "8g", CACHE, "0")).mostBytes()).isZero();
  }
}

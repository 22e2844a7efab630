package io.mooring.parquet.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PieceSizesTest {
  @ParameterizedTest
  @CsvSource({
    "16384, 4096, 16", // as fast as the copy engine can
    "64, 4096, 4", // many in a small pool
    "8, 4096, 1", // not too many
    "0, 4096, 4", // pageable memory alone
    "16384, 2, 2", // what stands in for the pool has room for one
    "16384, 0, 16", // nothing stands in: pieces wait for the pool
    "64, 0, 4",
  })
  void pieceBytes_fitsThePoolManyTimesAndTheFallbackOnce(long pool, long fallback, long bytes) {
    assertThat(PieceSizes.pieceBytes(pool << 20, fallback << 20)).isEqualTo(bytes << 20);
  }

  @ParameterizedTest
  @CsvSource({"0, 4096, 64, 8", "16384, 4096, 64, 16", "1024, 4096, 64, 8", "256, 64, 64, 2"})
  void requestBytes_ofAllRequests_isAtMostHalfOfThePool(
      long pool, long fallback, int requests, long bytes) {
    assertThat(PieceSizes.requestBytes(requests, pool << 20, fallback << 20))
        .isEqualTo(bytes << 20);
  }
}

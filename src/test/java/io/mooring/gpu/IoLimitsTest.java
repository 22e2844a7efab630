package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.MooringConf;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IoLimitsTest {
  @Test
  void moreRequestsThanThreadsAreUnderWayUnlessTheyAreSet() {
    IoLimits auto = IoLimits.of(MooringConf.from(Map.of()));
    assertThat(auto.requests()).isGreaterThan(auto.threads());
    assertThat(
            IoLimits.of(
                MooringConf.from(
                    Map.of(
                        "spark.mooring.scan.ioThreads", "5",
                        "spark.mooring.scan.storeRequests", "7"))))
        .isEqualTo(new IoLimits(5, 7));
  }

  @Test
  void severalDevicesShareThemAndEachHasOne() {
    assertThat(new IoLimits(5, 64).sharedBy(4)).isEqualTo(new IoLimits(2, 16));
    assertThat(new IoLimits(1, 1).sharedBy(8)).isEqualTo(new IoLimits(1, 1));
  }
}

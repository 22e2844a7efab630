package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.MooringConf;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceSelectionTest {
  private static List<Integer> choice(String setting, List<Integer> assigned, int count)
      throws UnusableGpuException {
    MooringConf conf = MooringConf.from(Map.of(GpuEntries.DEVICES.key(), setting));
    return DeviceSelection.of(conf.get(GpuEntries.DEVICES), assigned, count);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "all | 1 | 0",
        "all | 3 | 0,1,2",
        "first | 3 | 0",
        "2 | 3 | 2",
        "2,0 | 3 | 2,0",
        "0 , 1 | 2 | 0,1"
      })
  void withoutAnAssignmentTheSettingsSay(String setting, int count, String devices)
      throws Exception {
    assertThat(choice(setting, List.of(), count))
        .isEqualTo(Arrays.stream(devices.split(",")).map(Integer::valueOf).toList());
  }

  @Test
  void whatSparkHasAssignedIsUsedWhateverTheSettingsSay() throws Exception {
    for (String setting : new String[] {"all", "first", "0,1"}) {
      assertThat(choice(setting, List.of(3), 4)).containsExactly(3);
      assertThat(choice(setting, List.of(2, 1), 4)).containsExactly(2, 1);
    }
  }

  @Test
  void aContainerOfItsOwnDevicesNumbersThemFromZero() throws Exception {
    assertThat(choice("all", List.of(7), 1)).containsExactly(0);
    assertThat(choice("first", List.of(5, 6), 2)).containsExactly(0, 1);
  }

  @Test
  void aGpuThatIsNotThereIsNamedWithWhoMeansIt() {
    assertThatThrownBy(() -> choice("0,5", List.of(), 2))
        .isInstanceOf(UnusableGpuException.class)
        .hasMessage("spark.mooring.gpu.devices names GPU 5, but this process sees 2 GPUs");
    assertThatThrownBy(() -> choice("all", List.of(4), 2))
        .hasMessage("Spark assigned GPU 4, but this process sees 2 GPUs");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"none", "-1", "0;1", "0,", ",0", "1,1", "GPU-17", "00000", "''"})
  void aBadSettingEndsTheStartWithOneClearMessage(String setting) {
    assertThatThrownBy(() -> choice(setting, List.of(), 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'%s' in spark.mooring.gpu.devices is invalid: must be all, first or numbers of GPUs"
                + " such as 0,2",
            setting);
  }
}

package io.mooring.gpu;

import io.mooring.conf.GpuEntries;
import io.mooring.conf.GpuSelection;
import java.util.List;
import java.util.stream.IntStream;

/** Selects the devices of a process: those that Spark has assigned, else those of the settings. */
final class DeviceSelection {
  private DeviceSelection() {}

  /**
   * CUDA's numbers, none twice.
   *
   * @param assigned by Spark; empty when it has assigned none
   * @param count devices that this process sees, at least 1
   * @throws UnusableGpuException when one is meant that this process does not see
   */
  static List<Integer> of(GpuSelection setting, List<Integer> assigned, int count)
      throws UnusableGpuException {
    // A container that shows its own devices only numbers them from 0, whatever they are outside.
    if (setting.all() && assigned.isEmpty() || assigned.size() == count) {
      return IntStream.range(0, count).boxed().toList();
    }
    boolean bySpark = !assigned.isEmpty();
    List<Integer> wanted = bySpark ? assigned : setting.numbers();
    String source = bySpark ? "Spark assigned GPU " : GpuEntries.DEVICES.key() + " names GPU ";
    for (int device : wanted) {
      if (device >= count) {
        throw new UnusableGpuException(
            source + device + ", but this process sees " + count + " GPUs");
      }
    }
    return wanted.stream().distinct().toList();
  }
}

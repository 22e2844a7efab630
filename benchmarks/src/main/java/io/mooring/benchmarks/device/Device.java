package io.mooring.benchmarks.device;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/**
 * One GPU as the CUDA runtime describes it.
 *
 * @param index from 0, as in every request
 * @param name model
 * @param address on the PCI bus, as sysfs spells it
 * @param memoryBytes of the device
 * @param copyEngines copies that can run at the same time
 * @param numaNode node that it hangs on; -1 when the system does not say
 */
public record Device(
    int index, String name, String address, long memoryBytes, int copyEngines, int numaNode) {

  static Device of(int index, JsonNode line) {
    return new Device(
        index,
        line.get("name").asText(),
        line.get("bus").asText().toLowerCase(Locale.ROOT),
        line.get("memory_bytes").longValue(),
        line.get("copy_engines").intValue(),
        line.get("numa_node").intValue());
  }
}

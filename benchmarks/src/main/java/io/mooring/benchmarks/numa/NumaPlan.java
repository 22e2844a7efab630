package io.mooring.benchmarks.numa;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.device.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * The plan of all measurements.
 *
 * @param nodes that have memory
 * @param oneNodeToo whether one node is enough to measure
 * @param size of each copy
 * @param copies in each sample
 * @param rounds measured
 * @param warmup rounds before them
 * @param seed of the data
 */
record NumaPlan(
    List<Integer> nodes,
    boolean oneNodeToo,
    ByteSize size,
    int copies,
    int rounds,
    int warmup,
    long seed) {

  /** The arm where each GPU copies from the node that it hangs on. */
  static final String OWN = "own nodes";

  static final List<String> WAYS = List.of("H2D", "D2H");

  /**
   * Copies that run at the same time.
   *
   * @param query names them, without the direction
   * @param arm whose memory
   * @param devices how many work at once
   * @param where pairs of device and node, as the native program reads them
   */
  record Placing(String query, String arm, int devices, String where) {}

  /** Each node to each GPU alone; then all GPUs at once from one node, and from their own. */
  List<Placing> placings(List<Device> devices) {
    List<Placing> all = new ArrayList<>();
    for (Device device : devices) {
      for (int node : nodes) {
        all.add(
            placing("GPU " + device.index() + " alone", node(node), List.of(device), d -> node));
      }
    }
    if (devices.size() > 1) {
      for (int node : nodes) {
        all.add(placing("all GPUs", node(node), devices, d -> node));
      }
      if (nodes.size() > 1) {
        all.add(placing("all GPUs", OWN, devices, this::nodeOf));
      }
    }
    return all;
  }

  private static Placing placing(
      String query, String arm, List<Device> devices, ToIntFunction<Device> node) {
    String where =
        devices.stream()
            .map(d -> d.index() + " " + node.applyAsInt(d))
            .collect(Collectors.joining(" "));
    return new Placing(query, arm, devices.size(), where);
  }

  private static String node(int node) {
    return "node " + node;
  }

  /** The node of a GPU; the first where the system does not say. */
  private int nodeOf(Device device) {
    return nodes.contains(device.numaNode()) ? device.numaNode() : nodes.get(0);
  }
}

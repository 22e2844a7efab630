package io.mooring.benchmarks.p2p;

import com.fasterxml.jackson.databind.JsonNode;
import io.mooring.benchmarks.device.DeviceSession;
import io.mooring.benchmarks.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The access of one GPU to the memory of another.
 *
 * @param from index of the one
 * @param to index of the other
 * @param access whether it reaches the memory without the host
 * @param atomics whether atomic operations work over the link
 * @param rank the driver's relative performance of the link: lower is better
 */
record PeerLink(int from, int to, boolean access, boolean atomics, int rank) {

  /** All ordered pairs of this machine's GPUs. */
  static List<PeerLink> list(DeviceSession session) {
    List<PeerLink> all = new ArrayList<>();
    JsonNode line = session.ask("p2p links");
    while (!line.has("end")) {
      all.add(
          new PeerLink(
              line.get("from").intValue(),
              line.get("to").intValue(),
              line.get("access").booleanValue(),
              line.get("atomics").booleanValue(),
              line.get("rank").intValue()));
      line = session.answer();
    }
    return List.copyOf(all);
  }

  /** A table of peer access: a row for each GPU, a column for each other. */
  static Table matrix(List<PeerLink> links) {
    int gpus = links.stream().mapToInt(PeerLink::from).max().orElse(0) + 1;
    List<String> headings = new ArrayList<>(List.of("from \\ to"));
    IntStream.range(0, gpus).forEach(to -> headings.add("GPU " + to));
    List<List<String>> rows = new ArrayList<>();
    for (int from = 0; from < gpus; from++) {
      List<String> row = new ArrayList<>(List.of("GPU " + from));
      for (int to = 0; to < gpus; to++) {
        row.add(cell(links, from, to));
      }
      rows.add(row);
    }
    return new Table(headings, rows);
  }

  private static String cell(List<PeerLink> links, int from, int to) {
    return links.stream()
        .filter(link -> link.from == from && link.to == to)
        .map(link -> (link.access ? link.atomics ? "yes a" : "yes" : "no") + ", rank " + link.rank)
        .findFirst()
        .orElse("-");
  }
}

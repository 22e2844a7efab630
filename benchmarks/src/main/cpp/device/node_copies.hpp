// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "handles.hpp"
#include "host_block.hpp"
#include "sample.hpp"

namespace mooring::bench {

/// A device, and the NUMA node whose memory it copies from or to.
struct placement {
  int device;
  int node;
};

/// Copies between devices and registered memory of chosen NUMA nodes: by one device, or by several
/// at the same time, each with a thread, a stream and memory of its own. One caller at a time.
class node_copies {
 public:
  /// @param bytes of every copy
  node_copies(std::size_t bytes, int threads) : bytes_{bytes}, threads_{threads} {}

  /**
   * Each device makes `copies` copies, one after the other; the last state is verified. Seconds are
   * the wall clock's, from the first thread's start until the last one's copies are done.
   *
   * @param way not `both`
   * @throws std::runtime_error when a node's memory cannot be had, or a copy fails
   */
  sample run(std::vector<placement> const& where, direction way, int copies, std::uint64_t seed);

 private:
  struct station {
    std::unique_ptr<host_block> host;
    device_memory device;
    stream on;
  };

  station& of(placement p);
  void prepare(placement p, direction way, std::uint64_t seed);
  void copy(placement p, direction way, int copies);
  double copy_all(std::vector<placement> const& where, direction way, int copies);
  std::uint64_t wrong(placement p, direction way, std::uint64_t seed);

  std::size_t bytes_;
  int threads_;
  std::map<std::pair<int, int>, station> stations_;
};

}  // namespace mooring::bench

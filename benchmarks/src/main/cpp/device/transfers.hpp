// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "handles.hpp"
#include "host_block.hpp"
#include "sample.hpp"

namespace mooring::bench {

/**
 * Copies between one device and host memory of several kinds, all alive side by side so that they
 * can take turns. Time is the device's, between two events; a kernel holds the stream until
 * everything is enqueued, as nvbandwidth does it. One caller at a time.
 */
class transfers {
 public:
  /// @param most bytes of the longest copy; two buffers of this size lie on the device
  transfers(int device, std::size_t most, int threads);

  /// Makes two buffers of a kind: one to copy from, one to copy to. Returns a remark for the reader
  /// of the figures, which may be empty.
  std::string open(std::string const& kind);

  /// One copy, or two at once, verified word by word; caches hold none of the host's bytes before.
  sample copy(std::string const& kind, direction way, std::size_t bytes, std::uint64_t seed);

  /// The reference: `count` plain cudaMemcpyAsync one after the other from or to cudaHostAlloc
  /// memory, between two events. Seconds are those of one copy. @param way not `both`
  sample plain_loop(direction way, std::size_t bytes, int count, std::uint64_t seed);

 private:
  struct buffers {
    std::unique_ptr<host_block> source;
    std::unique_ptr<host_block> target;
  };

  buffers& of(std::string const& kind);
  void prepare(buffers& host, direction way, std::size_t bytes, std::uint64_t seed);
  double timed(buffers& host, direction way, std::size_t bytes);
  void both(buffers& host, std::size_t bytes);
  void up(host_block const& source, std::size_t bytes);
  void down(host_block const& target, std::size_t bytes, cudaStream_t on);
  std::uint64_t wrong(buffers& host, direction way, std::size_t bytes, std::uint64_t seed);

  int device_;
  std::size_t most_;
  int threads_;
  device_memory inbox_;
  device_memory outbox_;
  stream up_;
  stream down_;
  event start_{cudaEventDefault};
  event stop_{cudaEventDefault};
  event other_done_;
  std::map<std::string, buffers> hosts_;
};

}  // namespace mooring::bench

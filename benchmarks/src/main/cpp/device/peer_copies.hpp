// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "exchange_schedule.hpp"
#include "handles.hpp"
#include "sample.hpp"

namespace mooring::bench {

/**
 * Messages between devices: single pairs, several at once, and whole exchanges. Each device has an
 * outbox and an inbox for each side, and each of its stages streams and events of its own. Time is
 * that of device 0's clock: its first event releases all streams, and its last one waits for all.
 * One caller at a time.
 */
class peer_copies {
 public:
  /// @param most bytes of the longest message; four buffers of this size lie on each device
  peer_copies(int devices, std::size_t most);

  /// Sends every message of a schedule once; each arrival is verified.
  sample run(schedule const& stages, std::size_t bytes, std::uint64_t seed);

 private:
  struct boxes {
    device_memory left;
    device_memory right;
    std::byte* of(side s) const { return (s == side::left ? left : right).get(); }
  };

  /// The stream on which a device sends to one side in one stage, and when that is done.
  struct lane {
    stream sends;
    event done{cudaEventDisableTiming};
  };

  lane& lane_of(message const& m, std::size_t stage);
  void prepare(schedule const& stages, std::size_t bytes, std::uint64_t seed);
  double timed(schedule const& stages, std::size_t bytes);
  void send(message const& m, std::size_t number, schedule const& stages, std::size_t bytes);
  std::uint64_t wrong(schedule const& stages, std::size_t bytes, std::uint64_t seed);

  std::vector<boxes> outboxes_;
  std::vector<boxes> inboxes_;
  std::map<std::tuple<std::size_t, int, side>, lane> lanes_;
  stream hub_;
  event start_{cudaEventDefault};
  event stop_{cudaEventDefault};
};

}  // namespace mooring::bench

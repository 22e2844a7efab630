// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "arm.hpp"
#include "histogram.hpp"
#include "trace_file.hpp"

namespace mooring::bench {

/// What a replay did. Bytes but for counts and shares.
struct replay_result {
  double seconds = 0;
  std::uint64_t refused = 0;    ///< allocations without memory; their frees are left out
  std::uint64_t requested = 0;  ///< by all allocations
  std::uint64_t granted = 0;    ///< to them, rounding included; 0 when the allocator does not tell
  histogram allocations{};      ///< how long each took
  std::optional<fragmentation> pool{};  ///< at the end, with what was never freed still held
};

/**
 * Does what the trace tells, as fast as it goes: each recorded thread in its own order, a block
 * freed on the thread that freed it and never before it is there. No thread runs more than 1024
 * steps ahead of the slowest, so that about as much is held as in the recording.
 */
replay_result replay(arm& arm, trace const& what);

}  // namespace mooring::bench

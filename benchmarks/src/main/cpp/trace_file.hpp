// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mooring::bench {

/// One step of a recorded thread.
struct trace_step {
  std::uint64_t turn;   ///< place among the steps of all threads
  std::uint32_t block;  ///< number of the allocation, from 0
  bool is_free;
  bool ordered;  ///< by libcudf
};

/// A recorded trace, ready to be replayed.
struct trace {
  std::vector<std::vector<trace_step>> threads;
  std::vector<std::size_t> bytes;  ///< of each allocation, as asked for
  std::vector<bool> ordered;       ///< face of each allocation
  std::uint64_t steps = 0;
  std::uint64_t peak_bytes = 0;     ///< most that was held at once, as asked for
  std::uint64_t foreign_frees = 0;  ///< of blocks from before the recording; left out
};

/// Reads a file of trace/trace_recorder.hpp. @throws std::runtime_error naming the file and why
trace read_trace(std::string const& file);

}  // namespace mooring::bench

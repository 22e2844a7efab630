// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace mooring::bench {

/// What a trace record tells.
enum class trace_op : std::uint32_t {
  allocate = 0,
  free = 1,
  allocate_ordered = 2,
  free_ordered = 3
};

/// One record of a trace file, in the byte order of the machine.
struct trace_record {
  std::uint64_t nanos;    ///< since the trace was started
  std::uint64_t address;  ///< links a free to its allocation
  std::uint64_t bytes;    ///< as asked for; of a free 0
  std::uint32_t thread;   ///< numbered from 0 in order of first use
  trace_op op;
};
static_assert(sizeof(trace_record) == 32);

/**
 * Writes down allocations and frees while it is on, each thread in a list of its own. Off, it costs
 * one relaxed load. Thread-safe.
 *
 * A trace file is the eight bytes "MOORTRC1", the number of records as 8 bytes, and the records in
 * the order of time. An allocation that the pool refused, and a free of what is not the pool's, are
 * not in it. What a block was granted follows from its size: the size class up to 64 KiB, whole
 * pages of that length above.
 */
class trace_recorder {
 public:
  /// Forgets what there was, and begins. Takes 32 bytes of memory for each record.
  void start();

  /// Ends, and writes the file. @throws std::runtime_error naming the file and why
  void dump(std::string const& file);

  void record(trace_op op, void const* address, std::size_t bytes) noexcept {
    if (on_.load(std::memory_order_relaxed)) append(op, address, bytes);
  }

 private:
  struct list;

  void append(trace_op op, void const* address, std::size_t bytes) noexcept;
  list& list_of_thread();
  std::vector<trace_record> gather();

  std::atomic<bool> on_{false};
  std::atomic<std::chrono::steady_clock::time_point> started_{};
  std::mutex mutex_;
  std::vector<std::shared_ptr<list>> lists_;
};

}  // namespace mooring::bench

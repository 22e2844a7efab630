#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "mooring/export.hpp"

namespace mooring {

/// Figures of a fallback store at one moment; times in nanoseconds.
struct fallback_usage {
  std::uint64_t held;  ///< bytes in use or kept for reuse
  std::uint64_t waits;
  std::uint64_t wait_nanos;
  std::uint64_t timeouts;
};

/**
 * Pageable buffers for when the pool cannot serve: kept and used again, because fresh pages cost
 * more than the copy, and never more than a limit. Beyond it callers wait in the order they came.
 * Thread-safe.
 */
class MOORING_EXPORT fallback_store {
 public:
  explicit fallback_store(std::size_t limit) : limit_{limit} {}

  /// A buffer of at least `bytes`, or null when `time` is over, or `bytes` exceed the limit.
  void* allocate(std::size_t bytes, std::chrono::milliseconds time);

  /// @param bytes as they were asked for
  void free(void* address, std::size_t bytes) noexcept;

  fallback_usage usage() const;
  std::size_t limit() const { return limit_; }

  /// What a request takes: a power of two, or an eighth of one more, so that buffers fit again.
  static std::size_t rounded(std::size_t bytes);

 private:
  bool has_room(std::size_t size);
  bool evict_for(std::size_t size);
  void* take(std::size_t size);

  std::size_t limit_;
  mutable std::mutex mutex_;
  std::condition_variable freed_;
  std::multimap<std::size_t, void*> idle_;
  std::uint64_t next_ticket_ = 0;
  std::set<std::uint64_t> waiting_;  // tickets, oldest first
  std::size_t held_ = 0;
  std::uint64_t waits_ = 0;
  std::uint64_t wait_nanos_ = 0;
  std::uint64_t timeouts_ = 0;
};

}  // namespace mooring

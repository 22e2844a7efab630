#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>
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
 * Pageable buffers for when the pool cannot serve: touched, kept and used again, because fresh
 * pages cost more than the copy, and never more than a limit. Beyond it callers wait in the order
 * they came. Thread-safe; memory is mapped and unmapped outside its lock.
 */
class MOORING_EXPORT fallback_store {
 public:
  /// @param limit most bytes that are in use or kept
  explicit fallback_store(std::size_t limit) : limit_{limit} {}

  /**
   * A buffer of at least `bytes`; null when `time` is over, `bytes` exceed the limit, or the system
   * has no memory.
   *
   * @param elsewhere where memory may come free as well: while it waits the oldest caller asks
   * there now and then, under no lock, and what it is given is returned instead of a buffer
   */
  void* allocate(std::size_t bytes, std::chrono::milliseconds time,
                 std::function<void*()> const& elsewhere = {});

  /// @return false when `address` is no buffer of this store in use
  bool free(void* address);

  fallback_usage usage() const;
  std::size_t limit() const { return limit_; }

  /// What a request takes: whole pages, and eight steps to each doubling, so that buffers fit
  /// again.
  static std::size_t rounded(std::size_t bytes);

 private:
  using block = std::pair<std::size_t, void*>;

  /// How a wait ended: with room in the store, with memory from elsewhere, or with neither.
  struct outcome {
    bool has_room;
    void* other;
  };
  using clock = std::chrono::steady_clock;

  outcome await_turn(std::unique_lock<std::mutex>& lock, std::size_t size,
                     std::chrono::milliseconds time, std::function<void*()> const& elsewhere);
  outcome wait(std::unique_lock<std::mutex>& lock, std::uint64_t ticket, std::size_t size,
               clock::time_point end, std::function<void*()> const& elsewhere);
  bool fits(std::size_t size) const;
  void* claim(std::size_t size, std::vector<block>& evicted);
  void* map_claimed(std::size_t size);

  std::size_t limit_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<std::size_t, void*> idle_;
  std::unordered_map<void*, std::size_t> in_use_;
  std::uint64_t next_ticket_ = 0;
  std::set<std::uint64_t> waiting_;  // tickets, oldest first
  std::size_t held_ = 0;
  std::size_t idle_bytes_ = 0;
  std::uint64_t waits_ = 0;
  std::uint64_t wait_nanos_ = 0;
  std::uint64_t timeouts_ = 0;
};

}  // namespace mooring

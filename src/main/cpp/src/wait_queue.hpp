// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>

#include "mooring/export.hpp"

namespace mooring {

/// Statistics of a wait queue so far; times in nanoseconds.
struct wait_stats {
  std::uint64_t waits;
  std::uint64_t wait_nanos;
  std::uint64_t timeouts;
};

/**
 * Callers that wait for memory, served in the order they came. Only the first in line looks for
 * memory, on behalf of all: a free wakes one thread at most, and costs nothing while nobody waits.
 * Each caller sleeps on its own condition variable.
 *
 * A large request that finds no room must not block smaller ones, nor be starved by them. In the
 * first fifth of each second that the first in line waits, the callers behind it may be served; in
 * the rest, only the first. Thread-safe.
 */
class MOORING_EXPORT wait_queue {
 public:
  /// Finds memory for so many bytes now, or null. Called on the thread of any caller of `wait`,
  /// for itself and for others, and under no lock.
  using source = std::function<void*(std::size_t)>;

  /// The part of each `turn` in which others may be served before the first in line.
  static constexpr std::chrono::milliseconds turn{1000};
  static constexpr std::chrono::milliseconds passing{200};

  /**
   * Memory from `take`: at once where nobody waits, else in turn. Null when `time` is over first.
   *
   * @param take must be equivalent for all callers: the first in line calls its own for everybody
   */
  void* wait(std::size_t bytes, std::chrono::milliseconds time, source const& take);

  /// Whether nobody waits. Wait-free.
  bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

  /// Says that memory came free. Wait-free where nobody waits.
  void notify() noexcept;

  wait_stats stats() const;

 private:
  using clock = std::chrono::steady_clock;

  struct ticket {
    std::size_t bytes;
    clock::time_point since;
    void* block = nullptr;
    bool in_hand = false;  // the first in line is asking for it
    bool leaving = false;  // its time is over
    std::condition_variable changed{};
  };

  void* in_turn(std::unique_lock<std::mutex>& lock, std::size_t bytes, clock::time_point end,
                source const& take);
  void serve(std::unique_lock<std::mutex>& lock, source const& take);
  bool ask(std::unique_lock<std::mutex>& lock, ticket& t, source const& take);
  void wake_first() noexcept;

  mutable std::mutex mutex_;
  std::list<ticket*> tickets_;  // oldest first
  std::atomic<std::size_t> count_{0};
  bool news_ = false;  // since the first in line last looked
  std::uint64_t waits_ = 0;
  std::uint64_t wait_nanos_ = 0;
  std::uint64_t timeouts_ = 0;
};

}  // namespace mooring

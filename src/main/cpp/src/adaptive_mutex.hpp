// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>

namespace mooring {

/**
 * A mutex for sections of about a microsecond: a thread spins, with growing pauses, before it
 * sleeps. To sleep and to be woken takes longer than many such sections, and with a std::mutex
 * every one of them ends with a system call as soon as some threads sleep. Not fair.
 *
 * The states are those of the last mutex in Ulrich Drepper, "Futexes Are Tricky" (2011).
 */
class adaptive_mutex {
 public:
  void lock() noexcept {
    auto pauses = 1;
    for (int i = 0; i < most_tries; ++i) {
      auto expected = unlocked;
      if (state_.load(std::memory_order_relaxed) == unlocked &&
          state_.compare_exchange_strong(expected, locked, std::memory_order_acquire)) {
        return;
      }
      for (int p = 0; p < pauses; ++p) __builtin_ia32_pause();
      if (pauses < most_pauses) pauses *= 2;
    }
    while (state_.exchange(locked_with_sleepers, std::memory_order_acquire) != unlocked) {
      state_.wait(locked_with_sleepers, std::memory_order_relaxed);
    }
  }

  void unlock() noexcept {
    auto const before = state_.exchange(unlocked, std::memory_order_release);
    if (before == locked_with_sleepers) state_.notify_one();
  }

 private:
  // A thousand pauses together, some 20 to 50 microseconds: about what it takes to be woken.
  static constexpr int most_tries = 20;
  static constexpr int most_pauses = 64;

  static constexpr int unlocked = 0;
  static constexpr int locked = 1;
  static constexpr int locked_with_sleepers = 2;

  std::atomic<int> state_{unlocked};
};

}  // namespace mooring

#pragma once

#include <atomic>
#include <thread>

namespace mooring {

/**
 * A lock of one byte for sections of a few instructions, so that it shares a cache line with what
 * it guards: the line that says who may enter brings the data along. Looks before it tries (Rudolph
 * and Segall, "Dynamic decentralized cache schemes", ISCA 1984), and lets others run when the
 * holder seems to sleep. Thread-safe; not recursive; for std::lock_guard.
 */
class spin_lock {
 public:
  void lock() noexcept {
    for (int spins = 1; !try_lock(); ++spins) {
      if (spins % spins_before_yield == 0) {
        std::this_thread::yield();
      } else {
        __builtin_ia32_pause();
      }
    }
  }

  bool try_lock() noexcept {
    return !locked_.load(std::memory_order_relaxed) &&
           !locked_.exchange(true, std::memory_order_acquire);
  }

  void unlock() noexcept { locked_.store(false, std::memory_order_release); }

 private:
  // A section takes less than ten pauses: longer means that its thread has lost its core.
  static constexpr int spins_before_yield = 64;

  std::atomic<bool> locked_{false};
};

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "histogram.hpp"

namespace mooring::bench {

enum class phase : int { warm_up, measure, stop };

/// What one thread counts and times. On cache lines of its own.
class alignas(128) worker {
 public:
  explicit worker(std::atomic<phase> const& now) : now_{now} {}

  bool stopped() const { return now() == phase::stop; }

  void count_one() {
    count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }

  /// Does something, and times one in 16: reading the clock costs as much as what is timed.
  template <class Work>
  void timed(Work work) {
    if (turn_++ % 16 != 0 || now() != phase::measure) return work();
    auto const before = std::chrono::steady_clock::now();
    work();
    auto const after = std::chrono::steady_clock::now();
    latency.add(static_cast<std::uint64_t>(std::chrono::nanoseconds{after - before}.count()));
  }

  histogram latency;
  std::uint64_t refused = 0;

 private:
  phase now() const { return now_.load(std::memory_order_relaxed); }

  std::atomic<phase> const& now_;
  std::atomic<std::uint64_t> count_{0};
  std::uint64_t turn_ = 0;
};

/// What all threads together did while it was measured.
struct rate {
  std::uint64_t operations = 0;
  double seconds = 0;
  std::uint64_t refused = 0;
  histogram latency{};
};

/// Runs `work(worker, index)` on so many threads until each sees that it is stopped; what it counts
/// in the first quarter is left out.
rate measure(int threads, double seconds, std::function<void(worker&, int)> const& work);

}  // namespace mooring::bench

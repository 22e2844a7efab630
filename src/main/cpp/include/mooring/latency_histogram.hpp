#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>

namespace mooring {

/// How long allocations take, in bins of doubling nanoseconds. One in 64 is timed, because reading
/// the clock twice costs as much as a hit in the thread's cache. Thread-safe.
class latency_histogram {
 public:
  static constexpr int bins = 32;

  /// Times its own life when its turn has come.
  class sample {
   public:
    explicit sample(latency_histogram& to) {
      if (turn_++ % 64 != 0) return;
      to_ = &to;
      start_ = std::chrono::steady_clock::now();
    }
    ~sample() {
      if (to_ != nullptr) to_->add(std::chrono::steady_clock::now() - start_);
    }
    sample(sample const&) = delete;
    sample& operator=(sample const&) = delete;

   private:
    static inline thread_local std::uint32_t turn_ = 0;
    latency_histogram* to_ = nullptr;
    std::chrono::steady_clock::time_point start_;
  };

  /// Samples of [2^(bin - 1), 2^bin) nanoseconds; the last bin has no upper end.
  std::uint64_t count(int bin) const { return bins_[bin].load(std::memory_order_relaxed); }

 private:
  void add(std::chrono::nanoseconds time) {
    auto const bin = std::bit_width(static_cast<std::uint64_t>(time.count()));
    bins_[std::min<int>(bin, bins - 1)].fetch_add(1, std::memory_order_relaxed);
  }

  std::array<std::atomic<std::uint64_t>, bins> bins_{};
};

}  // namespace mooring

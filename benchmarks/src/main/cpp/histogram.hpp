// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace mooring::bench {

/// Nanoseconds in 16 bins to each doubling, so that a percentile is at most 6 % too high.
class histogram {
 public:
  void add(std::uint64_t nanos) {
    ++bins_[std::min(index(nanos), bins_.size() - 1)];
    ++count_;
    most_ = std::max(most_, nanos);
  }

  void add(histogram const& other) {
    for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
    count_ += other.count_;
    most_ = std::max(most_, other.most_);
  }

  /// The upper end of the bin below which `share` of the samples lie.
  std::uint64_t percentile(double share) const {
    auto const rank = static_cast<std::uint64_t>(share * static_cast<double>(count_));
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      below += bins_[i];
      if (below > rank) return std::min(upper(i), most_);
    }
    return most_;
  }

  std::uint64_t count() const { return count_; }
  std::uint64_t most() const { return most_; }

 private:
  static constexpr int steps_log2 = 4;
  static constexpr std::size_t steps = 1UL << steps_log2;

  static std::size_t index(std::uint64_t nanos) {
    if (nanos < steps) return nanos;
    auto const shift = std::bit_width(nanos) - 1 - steps_log2;
    return (static_cast<std::size_t>(shift) + 1) * steps + ((nanos >> shift) & (steps - 1));
  }

  static std::uint64_t upper(std::size_t index) {
    if (index < steps) return index;
    auto const shift = index / steps - 1;
    return ((steps + index % steps + 1) << shift) - 1;
  }

  std::array<std::uint64_t, 40 * steps> bins_{};
  std::uint64_t count_ = 0;
  std::uint64_t most_ = 0;
};

}  // namespace mooring::bench

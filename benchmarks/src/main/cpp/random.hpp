// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace mooring::bench {

/// A fast generator with one word of state (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014).
class split_mix {
 public:
  explicit split_mix(std::uint64_t seed) : state_{seed} {}

  std::uint64_t next() {
    auto z = state_ += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  /// From 0 to below 1.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

/// Sizes drawn beforehand, so that drawing them is no part of what is timed. In bytes.
class size_table {
 public:
  static constexpr std::size_t least = 1UL << 10;
  static constexpr std::size_t most = 1UL << 20;
  static constexpr std::size_t count = 4096;

  /// Uniform from `least` to `most`.
  explicit size_table(std::uint64_t seed) {
    split_mix random{seed};
    for (auto& bytes : sizes_) bytes = least + random.next() % (most - least + 1);
  }

  std::size_t operator[](std::uint64_t turn) const { return sizes_[turn % count]; }

 private:
  std::array<std::size_t, count> sizes_;
};

/// A size whose logarithm is uniform from `least` to `most`.
inline std::size_t log_uniform(split_mix& random, double least, double most) {
  return static_cast<std::size_t>(least * std::pow(most / least, random.unit()));
}

}  // namespace mooring::bench

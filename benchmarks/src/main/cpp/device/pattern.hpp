// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

namespace mooring::bench {

/// Word `index` of the pattern of a seed: splitmix64 (Steele, Lea and Flood, OOPSLA 2014) entered
/// at any place, so that words that moved are wrong too. kernels.ptx has the same.
inline std::uint64_t pattern_word(std::uint64_t seed, std::uint64_t index) {
  auto z = seed + (index + 1) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// x -> x * mul + add, modulo 2^64.
struct affine {
  std::uint64_t mul = 1;
  std::uint64_t add = 0;

  std::uint64_t operator()(std::uint64_t x) const { return x * mul + add; }

  /// First this, then `next`.
  affine then(affine next) const { return {mul * next.mul, next(add)}; }
};

/// One round of the kernel `work` (the generator MMIX of D. E. Knuth).
inline constexpr affine work_round{6364136223846793005ULL, 1442695040888963407ULL};

/// What so many rounds do, by squaring.
inline affine work_rounds(std::uint64_t rounds) {
  affine all, power = work_round;
  for (; rounds > 0; rounds >>= 1) {
    if (rounds & 1) all = all.then(power);
    power = power.then(power);
  }
  return all;
}

/// Writes the words from `first` on; of `bytes`, whole words only.
void fill_pattern(void* to, std::size_t bytes, std::uint64_t seed, std::uint64_t first,
                  int threads);

/// Writes bytes back to memory and leaves none of them in the processor's caches, where it can be
/// asked for that. A copy of what was just written is slower while caches hold it.
void leave_caches(void const* from, std::size_t bytes, int threads);

/// How many words differ from the pattern.
std::uint64_t count_wrong(void const* from, std::size_t bytes, std::uint64_t seed,
                          std::uint64_t first, int threads);

}  // namespace mooring::bench

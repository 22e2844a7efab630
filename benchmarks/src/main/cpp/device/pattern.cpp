// SPDX-License-Identifier: Apache-2.0

#include "pattern.hpp"

#include <atomic>

#include "parallel.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace mooring::bench {

void fill_pattern(void* to, std::size_t bytes, std::uint64_t seed, std::uint64_t first,
                  int threads) {
  auto* const words = static_cast<std::uint64_t*>(to);
  in_parallel(threads, bytes / sizeof *words, [=](std::size_t begin, std::size_t end) {
    for (auto i = begin; i < end; ++i) words[i] = pattern_word(seed, first + i);
  });
}

void leave_caches(void const* from, std::size_t bytes, int threads) {
#ifdef __SSE2__
  constexpr std::size_t line = 64;
  auto const* const start = static_cast<char const*>(from);
  in_parallel(threads, (bytes + line - 1) / line, [=](std::size_t begin, std::size_t end) {
    for (auto i = begin; i < end; ++i) _mm_clflush(start + i * line);
    _mm_mfence();
  });
#endif
}

std::uint64_t count_wrong(void const* from, std::size_t bytes, std::uint64_t seed,
                          std::uint64_t first, int threads) {
  auto const* const words = static_cast<std::uint64_t const*>(from);
  std::atomic<std::uint64_t> wrong{0};
  in_parallel(threads, bytes / sizeof *words, [&](std::size_t begin, std::size_t end) {
    std::uint64_t mine = 0;
    for (auto i = begin; i < end; ++i) mine += words[i] != pattern_word(seed, first + i);
    wrong += mine;
  });
  return wrong;
}

}  // namespace mooring::bench

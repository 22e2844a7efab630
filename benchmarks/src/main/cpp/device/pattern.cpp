#include "pattern.hpp"

#include <atomic>

#include "parallel.hpp"

namespace mooring::bench {

void fill_pattern(void* to, std::size_t bytes, std::uint64_t seed, std::uint64_t first,
                  int threads) {
  auto* const words = static_cast<std::uint64_t*>(to);
  in_parallel(threads, bytes / sizeof *words, [=](std::size_t begin, std::size_t end) {
    for (auto i = begin; i < end; ++i) words[i] = pattern_word(seed, first + i);
  });
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

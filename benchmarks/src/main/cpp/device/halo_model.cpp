// SPDX-License-Identifier: Apache-2.0

#include "halo_model.hpp"

#include <atomic>

#include "parallel.hpp"
#include "pattern.hpp"

namespace mooring::bench {

std::vector<std::uint64_t> halo_column(halo_shape const& shape, std::uint64_t seed,
                                       std::size_t column) {
  auto const rows = shape.all_rows();
  // With the rows of zeros above and below.
  std::vector<std::uint64_t> now(rows + 2), next(rows + 2);
  for (std::size_t r = 0; r < rows; ++r) now[r + 1] = pattern_word(seed, r * shape.width + column);
  for (int step = 0; step < shape.steps; ++step) {
    for (std::size_t r = 1; r <= rows; ++r) next[r] = stencil_word(now[r - 1], now[r], now[r + 1]);
    now.swap(next);
  }
  return {now.begin() + 1, now.end() - 1};
}

std::uint64_t wrong_in_bands(halo_shape const& shape, std::uint64_t seed,
                             std::vector<std::vector<std::uint64_t>> const& bands, int threads) {
  std::atomic<std::uint64_t> wrong{0};
  in_parallel(threads, shape.width, [&](std::size_t begin, std::size_t end) {
    for (auto column = begin; column < end; ++column) {
      auto const expected = halo_column(shape, seed, column);
      std::uint64_t mine = 0;
      for (std::size_t r = 0; r < expected.size(); ++r) {
        mine += bands[r / shape.rows][r % shape.rows * shape.width + column] != expected[r];
      }
      wrong += mine;
    }
  });
  return wrong;
}

}  // namespace mooring::bench

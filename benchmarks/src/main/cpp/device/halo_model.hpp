// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mooring::bench {

/// A field of rows, cut into as many bands of rows as there are devices. Beyond its first and its
/// last row everything is zero.
struct halo_shape {
  int devices;
  std::size_t rows;   ///< of one band, at least 2
  std::size_t width;  ///< words of a row
  int steps;

  std::size_t all_rows() const { return static_cast<std::size_t>(devices) * rows; }
};

/// What the kernel `stencil` makes of a word and the words above and below it.
inline std::uint64_t stencil_word(std::uint64_t above, std::uint64_t here, std::uint64_t below) {
  return 3 * here + above + below;
}

/// One column of the field after all steps, from its pattern at the start.
std::vector<std::uint64_t> halo_column(halo_shape const& shape, std::uint64_t seed,
                                       std::size_t column);

/// How many words of all bands, each as it lies in memory without its halo rows, are not as they
/// have to be.
std::uint64_t wrong_in_bands(halo_shape const& shape, std::uint64_t seed,
                             std::vector<std::vector<std::uint64_t>> const& bands, int threads);

}  // namespace mooring::bench

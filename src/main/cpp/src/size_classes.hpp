// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace mooring {

/**
 * Sizes of small blocks: multiples of 64 bytes up to 512, then eight steps to each doubling, so
 * that rounding up wastes at most an eighth of what is handed out (more only below 512 bytes).
 */
struct size_classes {
  /// A cache line: two blocks never share one.
  static constexpr std::size_t alignment = 64;
  /// One page of the arena; larger requests are runs of whole pages.
  static constexpr std::size_t largest = 1UL << 16;
  static constexpr int linear = 8;
  static constexpr int steps_log2 = 3;
  static constexpr int count = linear + (16 - 9) * (1 << steps_log2);

  /// The class that serves `bytes`, 1 <= bytes <= largest.
  static constexpr int of(std::size_t bytes) {
    if (bytes <= linear * alignment) return static_cast<int>((bytes - 1) / alignment);
    int const doubling = static_cast<int>(std::bit_width(bytes - 1)) - 1;
    auto const step = ((bytes - 1) >> (doubling - steps_log2)) & ((1 << steps_log2) - 1);
    return linear + ((doubling - 9) << steps_log2) + static_cast<int>(step);
  }

  /// Bytes of a block of class `index`.
  static constexpr std::size_t bytes(int index) {
    if (index < linear) return (static_cast<std::size_t>(index) + 1) * alignment;
    int const doubling = 9 + ((index - linear) >> steps_log2);
    std::size_t const step = (index - linear) & ((1 << steps_log2) - 1);
    return (1UL << doubling) + ((step + 1) << (doubling - steps_log2));
  }

  /// Bytes to ask for so that the block is aligned to `alignment`, a power of two: blocks lie at
  /// multiples of their size from a page boundary. Above `largest` every block is page aligned.
  static constexpr std::size_t aligned(std::size_t bytes, std::size_t alignment) {
    if (alignment <= size_classes::alignment || bytes > largest) return bytes;
    auto c = of(bytes);
    while (c < count && size_classes::bytes(c) % alignment != 0) ++c;
    return c < count ? size_classes::bytes(c) : largest + 1;
  }
};

}  // namespace mooring

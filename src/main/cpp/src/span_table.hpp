// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mooring/export.hpp"
#include "page_arena.hpp"

namespace mooring {

/**
 * A run of pages in use: equal blocks, or one large block. The fields that a free reads fit one
 * cache line. While the span lives, only `large_in_use` is written there; the fields that a
 * span_list writes come after.
 */
struct alignas(64) span {
  static constexpr int large = -1;
  static constexpr std::uint32_t most_blocks = page_arena::page_bytes / 64;

  page_run run{};
  int size_class = large;  ///< or `large`
  client owner = client::java;
  std::atomic<bool> large_in_use{false};
  std::uint32_t blocks = 1;
  std::size_t block_bytes = 0;
  std::byte* base = nullptr;
  /// One byte a block, 1 while a caller holds it; only with checks on.
  std::unique_ptr<std::atomic<std::uint8_t>[]> held;

  alignas(64) span* previous = nullptr;
  span* next = nullptr;
  std::uint32_t idle = 0;  ///< blocks whose bit is set
  std::array<std::uint64_t, most_blocks / 64> idle_bits{};

  /// Index of the small block at `address`, or `blocks` when none starts there.
  std::uint32_t index_of(void const* address) const {
    // A span of several blocks is far below 4 GiB, and a short division is faster.
    auto const offset = static_cast<std::uint32_t>(static_cast<std::byte const*>(address) - base);
    auto const length = static_cast<std::uint32_t>(block_bytes);
    return offset % length == 0 ? offset / length : blocks;
  }
};

static_assert(offsetof(span, held) + sizeof(span::held) <= 64);

/**
 * From an address to its span, by page. Reading is wait-free; writing concerns pages that the
 * writer has just taken from, or is about to give back to, the arena.
 */
class span_table {
 public:
  span_table(std::byte* base, std::size_t bytes)
      : base_{base}, bytes_{bytes}, spans_(bytes / page_arena::page_bytes) {}

  bool owns(void const* address) const {
    return static_cast<std::size_t>(static_cast<std::byte const*>(address) - base_) < bytes_;
  }

  /// The span that holds `address`, or null. A large span is found by its first page only.
  span* find(void const* address) const {
    if (!owns(address)) return nullptr;
    auto const offset = static_cast<std::byte const*>(address) - base_;
    return spans_[offset / page_arena::page_bytes].load(std::memory_order_acquire);
  }

  std::byte* address_of(page_run run) const { return base_ + run.first * page_arena::page_bytes; }

  void enter(span* s) { store(*s, s); }
  void remove(span const& s) { store(s, nullptr); }

 private:
  void store(span const& where, span* s) {
    auto const pages = where.size_class == span::large ? 1 : where.run.pages;
    for (auto page = where.run.first; page < where.run.first + pages; ++page) {
      spans_[page].store(s, std::memory_order_release);
    }
  }

  std::byte* base_;
  std::size_t bytes_;
  std::vector<std::atomic<span*>> spans_;
};

}  // namespace mooring

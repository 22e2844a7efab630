#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mooring/export.hpp"
#include "mooring/page_arena.hpp"

namespace mooring {

/// Which side of the pool owns a span; blocks never change sides while their span lives.
enum class face : std::uint8_t { java, libcudf };

/// A run of pages in use: cut into equal blocks, or one large block. Within one cache line.
struct alignas(64) span {
  static constexpr int large = -1;

  page_run run{};
  int size_class = large;  ///< or `large`
  face owner = face::java;
  std::uint32_t blocks = 1;
  std::size_t block_bytes = 0;
  std::byte* base = nullptr;
  std::uint32_t idle = 0;  ///< blocks found in the depot; only inside a reclaim
  std::atomic<bool> large_in_use{false};
  /// One byte a block, 1 while a caller holds it; only with checks on.
  std::unique_ptr<std::atomic<std::uint8_t>[]> held;

  /// Index of the small block at `address`, or `blocks` when none starts there.
  std::uint32_t index_of(void const* address) const {
    // A span of several blocks is far below 4 GiB, and a short division is faster.
    auto const offset = static_cast<std::uint32_t>(static_cast<std::byte const*>(address) - base);
    auto const length = static_cast<std::uint32_t>(block_bytes);
    return offset % length == 0 ? offset / length : blocks;
  }
};

static_assert(sizeof(span) == 64);

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

  /// The span that holds `address`, or null.
  span* find(void const* address) const {
    if (!owns(address)) return nullptr;
    auto const offset = static_cast<std::byte const*>(address) - base_;
    return spans_[offset / page_arena::page_bytes].load(std::memory_order_acquire);
  }

  std::byte* address_of(page_run run) const { return base_ + run.first * page_arena::page_bytes; }

  void enter(span* s) { store(s->run, s); }
  void remove(span const& s) { store(s.run, nullptr); }

 private:
  void store(page_run run, span* s) {
    for (auto page = run.first; page < run.first + run.pages; ++page) {
      spans_[page].store(s, std::memory_order_release);
    }
  }

  std::byte* base_;
  std::size_t bytes_;
  std::vector<std::atomic<span*>> spans_;
};

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <mutex>

#include "adaptive_mutex.hpp"
#include "mooring/export.hpp"
#include "span_table.hpp"

namespace mooring {

/**
 * The idle blocks of one size class: the spans that have some, each with a bit for each of its
 * blocks. Thread-safe; its lock is held for a batch of blocks at most, over no call out.
 */
class MOORING_EXPORT span_list {
 public:
  /// Takes idle blocks, at most `most`; returns how many.
  std::uint32_t take(void** to, std::uint32_t most);

  /// Adds a new span and takes blocks of it, at most `most`, which is positive; returns how many.
  /// Taken in the same step, because only a block that is put back shows that a span is wholly idle.
  std::uint32_t add(span& s, void** to, std::uint32_t most);

  /// Marks blocks as idle; one that is idle already stays so.
  ///
  /// @return the spans that have become wholly idle, linked by `next`; they are the caller's
  span* put(span_table const& spans, void* const* blocks, std::uint32_t count);

 private:
  void link(span& s);
  void unlink(span& s);

  adaptive_mutex mutex_;
  span* first_ = nullptr;
};

}  // namespace mooring

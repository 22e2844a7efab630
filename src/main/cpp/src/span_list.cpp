// SPDX-License-Identifier: Apache-2.0

#include "span_list.hpp"

#include <bit>

namespace mooring {

namespace {

/// The lowest idle block of a span that has one, in use from now on.
void* take_first(span& s) {
  for (std::uint32_t word = 0;; ++word) {
    auto& bits = s.idle_bits[word];
    if (bits == 0) continue;
    auto const index = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
    bits &= bits - 1;
    --s.idle;
    return s.base + index * s.block_bytes;
  }
}

bool set_idle(span& s, std::uint32_t index) {
  auto& bits = s.idle_bits[index / 64];
  auto const bit = std::uint64_t{1} << index % 64;
  if ((bits & bit) != 0) return false;
  bits |= bit;
  ++s.idle;
  return true;
}

}  // namespace

std::uint32_t span_list::take(void** to, std::uint32_t most) {
  std::lock_guard const lock{mutex_};
  std::uint32_t taken = 0;
  while (taken < most && first_ != nullptr) {
    auto& s = *first_;
    while (taken < most && s.idle > 0) to[taken++] = take_first(s);
    if (s.idle == 0) unlink(s);
  }
  return taken;
}

std::uint32_t span_list::add(span& s, void** to, std::uint32_t most) {
  for (std::uint32_t i = 0; i < s.blocks; ++i) set_idle(s, i);
  std::uint32_t taken = 0;
  while (taken < most && s.idle > 0) to[taken++] = take_first(s);
  std::lock_guard const lock{mutex_};
  if (s.idle > 0) link(s);
  return taken;
}

span* span_list::put(span_table const& spans, void* const* blocks, std::uint32_t count) {
  std::lock_guard const lock{mutex_};
  span* whole = nullptr;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& s = *spans.find(blocks[i]);
    if (!set_idle(s, s.index_of(blocks[i]))) continue;
    if (s.idle == 1) link(s);
    if (s.idle < s.blocks) continue;
    unlink(s);
    s.next = whole;
    whole = &s;
  }
  return whole;
}

void span_list::link(span& s) {
  s.previous = nullptr;
  s.next = first_;
  if (first_ != nullptr) first_->previous = &s;
  first_ = &s;
}

void span_list::unlink(span& s) {
  (s.previous == nullptr ? first_ : s.previous->next) = s.next;
  if (s.next != nullptr) s.next->previous = s.previous;
}

}  // namespace mooring

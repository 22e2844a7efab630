// SPDX-License-Identifier: Apache-2.0

#include "evictable_blocks.hpp"

#include <iterator>
#include <utility>

namespace mooring {

evictable_id evictable_blocks::add(void* address) {
  std::lock_guard lock{mutex_};
  auto* const s = spans_.find(address);
  if (s == nullptr || s->size_class != span::large || s->owner != client::java) return 0;
  // Allocations come before the block changes hands: an eviction itself needs no memory.
  auto const most = evicted_.size() + blocks_.size() + 1;
  if (evicted_.capacity() < most) evicted_.reserve(2 * most);
  auto const id = last_ + 1;
  auto& b = blocks_.emplace(id, block{.where = s}).first->second;
  try {
    put_idle(id, b);
  } catch (...) {
    blocks_.erase(id);
    throw;
  }
  if (!large_.lend(*s, address)) {
    take_idle(b);
    blocks_.erase(id);
    return 0;
  }
  return last_ = id;
}

bool evictable_blocks::acquire(evictable_id id) noexcept {
  std::lock_guard lock{mutex_};
  auto const found = blocks_.find(id);
  if (found == blocks_.end() || found->second.removed) return false;
  auto& b = found->second;
  if (b.readers++ == 0) {
    take_idle(b);
    large_.reclaim(*b.where);
  }
  return true;
}

void evictable_blocks::release(evictable_id id) {
  std::lock_guard lock{mutex_};
  auto& b = blocks_.at(id);
  if (b.readers > 1) {
    --b.readers;
    return;
  }
  auto* const s = b.where;
  if (!b.removed) {
    put_idle(id, b);
    b.readers = 0;
    large_.lend_again(*s);
    return;
  }
  blocks_.erase(id);
  large_.lend_again(*s);
  large_.evict(*s);
}

void evictable_blocks::remove(evictable_id id) {
  std::lock_guard lock{mutex_};
  auto const found = blocks_.find(id);
  if (found == blocks_.end()) return;
  found->second.removed = true;
  if (found->second.readers == 0) free_idle(id, found->second);
}

bool evictable_blocks::evict(std::size_t bytes) {
  std::lock_guard lock{mutex_};
  if (oldest_first_.empty()) return false;
  auto begin = idle_.find(oldest_first_.front());
  auto end = std::next(begin);
  auto* from = begin->first;
  auto* to = from + bytes_of(begin);
  while (static_cast<std::size_t>(to - from) < bytes) {
    if (end != idle_.end() && end->first == to) {
      to += bytes_of(end++);
    } else if (begin != idle_.begin() &&
               std::prev(begin)->first + bytes_of(std::prev(begin)) == from) {
      from = (--begin)->first;
    } else {
      break;
    }
  }
  while (begin != end) begin = evict_one(begin);
  return true;
}

void evictable_blocks::evict_from(std::byte const* address) {
  std::lock_guard lock{mutex_};
  auto at = idle_.begin();
  while (at != idle_.end()) at = at->first < address ? std::next(at) : evict_one(at);
}

std::vector<evictable_id> evictable_blocks::take_evicted() {
  std::lock_guard lock{mutex_};
  if (evicted_.empty()) return {};
  std::vector<evictable_id> room;
  room.reserve(2 * (blocks_.size() + 1));
  return std::exchange(evicted_, std::move(room));
}

std::uint64_t evictable_blocks::idle_bytes() const {
  std::lock_guard lock{mutex_};
  return idle_bytes_;
}

std::uint64_t evictable_blocks::evictions() const {
  std::lock_guard lock{mutex_};
  return evictions_;
}

std::uint64_t evictable_blocks::evicted_bytes() const {
  std::lock_guard lock{mutex_};
  return evicted_bytes_;
}

void evictable_blocks::put_idle(evictable_id id, block& b) {
  auto* const base = b.where->base;
  b.place = oldest_first_.insert(oldest_first_.end(), base);
  try {
    idle_.emplace(base, id);
  } catch (...) {
    oldest_first_.erase(b.place);
    throw;
  }
  idle_bytes_ += b.where->block_bytes;
}

void evictable_blocks::take_idle(block const& b) noexcept {
  idle_.erase(b.where->base);
  oldest_first_.erase(b.place);
  idle_bytes_ -= b.where->block_bytes;
}

void evictable_blocks::free_idle(evictable_id id, block const& b) {
  auto* const s = b.where;
  take_idle(b);
  blocks_.erase(id);
  large_.evict(*s);
}

evictable_blocks::idle_map::iterator evictable_blocks::evict_one(idle_map::iterator at) {
  auto const id = at->second;
  auto const next = std::next(at);
  auto const& b = blocks_.at(id);
  ++evictions_;
  evicted_bytes_ += b.where->block_bytes;
  evicted_.push_back(id);
  free_idle(id, b);
  return next;
}

std::size_t evictable_blocks::bytes_of(idle_map::const_iterator at) const {
  return blocks_.at(at->second).where->block_bytes;
}

}  // namespace mooring

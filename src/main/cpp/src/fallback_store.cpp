// SPDX-License-Identifier: Apache-2.0

#include "fallback_store.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "slab_source.hpp"

namespace mooring {

namespace {

// Below, a page is the smallest thing that can be mapped.
constexpr std::size_t smallest = 4096;
constexpr std::size_t huge_page = 2UL << 20;

void* map(std::size_t bytes) {
  auto* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  if (bytes >= huge_page) madvise(p, bytes, MADV_HUGEPAGE);
  pageable_slab_source{}.touch(static_cast<std::byte*>(p), bytes);
  return p;
}

void unmap(std::vector<std::pair<std::size_t, void*>> const& blocks) {
  for (auto const& [length, address] : blocks) munmap(address, length);
}

}  // namespace

std::size_t fallback_store::rounded(std::size_t bytes) {
  if (bytes <= smallest) return smallest;
  auto const step = std::max(smallest, std::bit_floor(bytes) / 8);
  return (bytes + step - 1) / step * step;
}

void* fallback_store::allocate(std::size_t bytes) noexcept try {
  if (bytes > limit_) return nullptr;
  // Rounding up must not refuse what fits the limit.
  auto const size = std::min(rounded(bytes), limit_);
  std::vector<block> evicted;
  {
    std::lock_guard lock{mutex_};
    if (auto* const again = reuse(size)) return again;
    if (!reserve(size, evicted)) return nullptr;
  }
  unmap(evicted);
  return map_reserved(size);
} catch (...) {
  // No memory for the store's own records.
  return nullptr;
}

void* fallback_store::reuse(std::size_t size) {
  auto const behind = idle_.upper_bound(size);
  if (behind == idle_.begin() || std::prev(behind)->first != size) return nullptr;
  auto const last = std::prev(behind);
  auto* const address = last->second.address;
  in_use_.emplace(address, size);
  idle_.erase(last);
  idle_bytes_ -= size;
  return address;
}

bool fallback_store::reserve(std::size_t size, std::vector<block>& evicted) {
  if (held_ - idle_bytes_ + size > limit_) return false;
  evicted.reserve(idle_.size());
  while (held_ + size > limit_) evict(std::prev(idle_.end()), evicted);
  held_ += size;
  return true;
}

void fallback_store::evict(std::multimap<std::size_t, idle_buffer>::iterator which,
                           std::vector<block>& evicted) {
  evicted.emplace_back(which->first, which->second.address);
  held_ -= which->first;
  idle_bytes_ -= which->first;
  idle_.erase(which);
}

void* fallback_store::map_reserved(std::size_t size) noexcept {
  auto* fresh = map(size);
  std::lock_guard lock{mutex_};
  try {
    if (fresh != nullptr) in_use_.emplace(fresh, size);
  } catch (...) {
    munmap(std::exchange(fresh, nullptr), size);
  }
  if (fresh == nullptr) held_ -= size;
  return fresh;
}

bool fallback_store::free(void* address) {
  {
    std::lock_guard lock{mutex_};
    auto const found = in_use_.find(address);
    if (found == in_use_.end()) return false;
    idle_.emplace(found->second, idle_buffer{address, trims_});
    idle_bytes_ += found->second;
    in_use_.erase(found);
  }
  if (waiters_ != nullptr) waiters_->notify();
  return true;
}

void fallback_store::trim() {
  std::vector<block> evicted;
  {
    std::lock_guard lock{mutex_};
    evicted.reserve(idle_.size());
    for (auto at = idle_.begin(); at != idle_.end();) {
      auto const next = std::next(at);
      if (at->second.trims < trims_) evict(at, evicted);
      at = next;
    }
    ++trims_;
  }
  unmap(evicted);
}

std::size_t fallback_store::held() const {
  std::lock_guard lock{mutex_};
  return held_;
}

}  // namespace mooring

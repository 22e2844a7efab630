// SPDX-License-Identifier: Apache-2.0

#include "small_heap.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace mooring {

namespace {
// Bytes that move between a thread and a list at once: enough to make a visit there rare.
constexpr std::size_t batch_bytes = 256UL << 10;
constexpr std::size_t least_blocks = 4, most_blocks = 128;
// A span of fewer blocks loses too much to its last page.
constexpr std::size_t wanted_blocks = 8;
// A cache takes its part of the share in steps: it needs a shared count for each.
constexpr std::int64_t allowance_step = 64L << 10;
constexpr std::uint64_t most_allowance = 4UL << 20;
// Asking for a mark is a CUDA call: past these a fresh span is cheaper.
constexpr std::size_t marks_to_ask = 8;
}  // namespace

small_heap::small_heap(client owner, page_arena& arena, span_table& spans, deferred_frees* deferred,
                       std::size_t share, bool checks)
    : owner_{owner},
      arena_{arena},
      spans_{spans},
      deferred_{deferred},
      checks_{checks},
      share_left_{static_cast<std::int64_t>(share)} {}

std::uint32_t small_heap::batch_blocks(int size_class) {
  static constexpr auto table = [] {
    std::array<std::uint32_t, size_classes::count> blocks{};
    for (int c = 0; c < size_classes::count; ++c) {
      blocks[c] = static_cast<std::uint32_t>(
          std::clamp<std::size_t>(batch_bytes / size_classes::bytes(c), least_blocks, most_blocks));
    }
    return blocks;
  }();
  return table[size_class];
}

thread_cache* small_heap::cache_for(stream_handle stream) noexcept {
  return is_ordered() && stream != per_thread_stream ? nullptr : cache_of_thread(*this);
}

template <typename Count>
void small_heap::count(thread_cache* cache, Count add) {
  if (cache != nullptr) return add(cache->counters);
  std::lock_guard const lock{uncached_mutex_};
  add(uncached_);
}

void* small_heap::allocate(std::size_t bytes, stream_handle stream) {
  auto const size_class = size_classes::of(bytes);
  auto* const cache = cache_for(stream);
  auto* block = cache == nullptr ? nullptr : cache->pop(size_class, !is_ordered());
  if (block == nullptr) block = refill(cache, size_class);
  if (block == nullptr) return nullptr;
  count(cache, [&](cache_counters& c) {
    c.allocations.add(1);
    c.allocated_bytes.add(size_classes::bytes(size_class));
    c.requested_bytes.add(bytes);
  });
  if (checks_) mark_held(*spans_.find(block), block, true);
  return block;
}

bool small_heap::free(span& s, void* address, stream_handle stream) {
  if (s.index_of(address) >= s.blocks) return false;
  if (checks_ && !mark_held(s, address, false)) return false;
  auto* const cache = cache_for(stream);
  auto const size_class = s.size_class;
  bool cached = false;
  if (cache != nullptr && make_room(*cache, s.block_bytes)) {
    cached = cache->push(size_class, address);
    if (!cached) {
      flush_classes(*cache, size_class, size_class + 1, batch_blocks(size_class));
      cached = cache->push(size_class, address);
    }
  }
  // Release: who sees the free in a snapshot sees the allocation before it.
  count(cache, [&](cache_counters& c) {
    c.frees.add_release(1);
    // Reads nothing of the span: others may have taken the block and given the span back.
    c.freed_bytes.add_release(size_classes::bytes(size_class));
  });
  if (cached) return true;
  if (is_ordered()) {
    deferred_->add_one(address, {stream, thread_device()});
  } else {
    put_idle(size_class, &address, 1);
  }
  return true;
}

bool small_heap::raise_allowance(thread_cache& cache, std::size_t bytes) noexcept {
  auto const wanted = std::min(most_allowance, cache.owner_cached_bytes() + bytes);
  while (cache.allowance < wanted) {
    if (share_left_.fetch_sub(allowance_step) < allowance_step) {
      share_left_ += allowance_step;
      break;
    }
    cache.allowance += allowance_step;
  }
  return cache.owner_cached_bytes() + bytes <= cache.allowance;
}

bool small_heap::make_room(thread_cache& cache, std::size_t bytes) noexcept {
  if (raise_allowance(cache, bytes)) return true;
  flush_all(cache);
  return cache.owner_cached_bytes() + bytes <= cache.allowance;
}

bool small_heap::mark_held(span& s, void* address, bool held) {
  auto& state = s.held[s.index_of(address)];
  return state.exchange(held ? 1 : 0, std::memory_order_relaxed) == (held ? 0 : 1);
}

void* small_heap::refill(thread_cache* cache, int size_class) {
  std::array<void*, most_blocks> blocks;
  auto const bytes = size_classes::bytes(size_class);
  std::size_t wanted = 1;
  if (cache != nullptr) {
    // One for the caller, and as many as the cache may keep.
    auto const more = batch_blocks(size_class) - 1;
    raise_allowance(*cache, more * bytes);
    auto const room = cache->allowance - std::min(cache->allowance, cache->owner_cached_bytes());
    wanted += std::min<std::size_t>(more, room / bytes);
  }
  auto const taken = take_idle(size_class, blocks.data(), static_cast<std::uint32_t>(wanted));
  if (taken == 0) return nullptr;
  std::uint32_t cached = 1;
  while (cached < taken && cache->push(size_class, blocks[cached])) ++cached;
  if (cached < taken) put_idle(size_class, blocks.data() + cached, taken - cached);
  return blocks[0];
}

std::uint32_t small_heap::take_idle(int size_class, void** to, std::uint32_t most) {
  auto& list = idle_[size_class];
  auto taken = list.take(to, most);
  if (taken == 0 && deferred_ != nullptr) {
    deferred_->settle_passed(marks_to_ask);
    taken = list.take(to, most);
  }
  if (taken > 0) return taken;
  auto* const s = new_span(size_class);
  return s == nullptr ? 0 : list.add(*s, to, most);
}

span* small_heap::new_span(int size_class) {
  auto const bytes = size_classes::bytes(size_class);
  // Before the run is taken, so that a failure here loses nothing.
  auto s = std::make_unique<span>();
  for (auto blocks = wanted_blocks; blocks >= 1; blocks /= 2) {
    auto const pages = (blocks * bytes + page_arena::page_bytes - 1) / page_arena::page_bytes;
    auto const fit = static_cast<std::uint32_t>(pages * page_arena::page_bytes / bytes);
    if (checks_) s->held = std::make_unique<std::atomic<std::uint8_t>[]>(fit);
    auto const run = arena_.allocate(owner_, static_cast<std::uint32_t>(pages),
                                     run_use::small_blocks, thread_node());
    if (!run) continue;
    s->run = *run;
    s->size_class = size_class;
    s->owner = owner_;
    s->blocks = fit;
    s->block_bytes = bytes;
    s->base = spans_.address_of(*run);
    spans_.enter(s.get());
    return s.release();
  }
  return nullptr;
}

void small_heap::put_idle(int size_class, void* const* blocks, std::uint32_t count) {
  auto* whole = idle_[size_class].put(spans_, blocks, count);
  while (whole != nullptr) {
    auto* const s = std::exchange(whole, whole->next);
    auto const run = s->run;
    spans_.remove(*s);
    delete s;
    arena_.release(owner_, run);
  }
}

void small_heap::defer(std::vector<void*>&& blocks, device_stream freed_on) noexcept {
  auto const count = blocks.size();
  try {
    deferred_->add(std::move(blocks), freed_on);
  } catch (std::bad_alloc const&) {
    // Nobody can tell when these are idle: better lost than handed out too early.
    lost_.fetch_add(count, std::memory_order_relaxed);
  }
}

void small_heap::flush_classes(thread_cache& cache, int first, int end, std::uint32_t most) noexcept
    try {
  std::size_t count = 0;
  for (int c = first; c < end; ++c) count += std::min(most, cache.count(c));
  std::vector<void*> blocks;
  blocks.reserve(count);
  for (int c = first; c < end; ++c) {
    for (auto left = std::min(most, cache.count(c)); left > 0; --left) {
      auto* const block = cache.pop(c, !is_ordered());
      if (block == nullptr) break;
      blocks.push_back(block);
    }
    if (is_ordered()) continue;
    put_idle(c, blocks.data(), static_cast<std::uint32_t>(blocks.size()));
    blocks.clear();
  }
  // One mark is enough for all.
  if (!blocks.empty()) defer(std::move(blocks), {per_thread_stream, cache.device});
} catch (std::bad_alloc const&) {
  // The blocks stay in the cache.
}

void small_heap::flush_all(thread_cache& cache) noexcept {
  if (cache.owner_cached_bytes() > 0) flush_classes(cache, 0, size_classes::count, UINT32_MAX);
}

void small_heap::flush() {
  if (auto* const cache = cache_of_thread(*this)) flush_all(*cache);
}

void small_heap::drain_caches() {
  if (is_ordered()) return;
  std::array<void*, 2 * most_blocks> blocks;
  for (auto* const cache : caches_.all()) {
    for (int c = 0; cache->cached_bytes() > 0 && c < size_classes::count; ++c) {
      auto const stolen = cache->steal(c, blocks.data());
      if (stolen > 0) put_idle(c, blocks.data(), stolen);
    }
  }
}

void small_heap::retire(thread_cache& cache) noexcept {
  flush_all(cache);
  share_left_ += static_cast<std::int64_t>(cache.allowance);
  cache.allowance = 0;
  caches_.retire(&cache);
}

}  // namespace mooring

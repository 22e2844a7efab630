#include "mooring/small_heap.hpp"

#include <algorithm>
#include <utility>

namespace mooring {

namespace {
// What moves between a thread and the depot at once: enough to make a visit there rare. Visits are
// what frees on another thread cost, so large blocks move several together too.
constexpr std::size_t magazine_bytes = 256UL << 10;
constexpr std::size_t least_blocks = 4;
// A span of fewer blocks loses too much to its last page.
constexpr std::size_t wanted_blocks = 8;
}  // namespace

small_heap::small_heap(face owner, page_arena& arena, span_table& spans, fence_source* fences,
                       std::size_t cache_limit, bool checks)
    : owner_{owner},
      arena_{arena},
      spans_{spans},
      fences_{fences},
      cache_limit_{cache_limit},
      checks_{checks} {}

std::uint32_t small_heap::magazine_blocks(int size_class) {
  static constexpr auto table = [] {
    std::array<std::uint32_t, size_classes::count> blocks{};
    for (int c = 0; c < size_classes::count; ++c) {
      auto const fit = magazine_bytes / size_classes::bytes(c);
      blocks[c] = static_cast<std::uint32_t>(
          std::clamp<std::size_t>(fit, least_blocks, magazine::most_blocks));
    }
    return blocks;
  }();
  return table[size_class];
}

void* small_heap::allocate(std::size_t bytes, stream_handle stream) {
  auto const size_class = size_classes::of(bytes);
  auto& cache = cache_of_thread(*this, stream);
  auto& bin = cache.of(size_class);
  if (bin.count == 0 && !refill(cache, size_class)) return nullptr;
  auto* const block = bin.blocks[--bin.count];
  cache.counters.allocations[size_class].add(1);
  cache.counters.requested_bytes.add(bytes);
  cache.counters.cached_bytes.subtract(size_classes::bytes(size_class));
  if (checks_) mark_held(*spans_.find(block), block, true);
  return block;
}

bool small_heap::free(span& s, void* address, stream_handle stream) {
  if (s.index_of(address) >= s.blocks) return false;
  if (checks_ && !mark_held(s, address, false)) return false;
  auto& cache = cache_of_thread(*this, stream);
  auto& bin = cache.of(s.size_class);
  if (bin.count >= 2 * magazine_blocks(s.size_class)) make_space(cache, s.size_class);
  bin.blocks[bin.count++] = address;
  // Release: who sees the free in a snapshot sees the allocation before it.
  cache.counters.frees[s.size_class].add_release(1);
  cache.counters.cached_bytes.add(s.block_bytes);
  if (cache.counters.cached_bytes.get() > cache_limit_) flush_all(cache);
  return true;
}

void small_heap::make_space(thread_cache& cache, int size_class) {
  auto const fence = mark(cache.stream());
  if (fence) {
    flush_bin(cache, size_class, magazine_blocks(size_class), *fence);
  } else {
    park(cache, size_class);
  }
}

bool small_heap::mark_held(span& s, void* address, bool held) {
  auto& state = s.held[s.index_of(address)];
  return state.exchange(held ? 1 : 0, std::memory_order_relaxed) == (held ? 0 : 1);
}

bool small_heap::refill(thread_cache& cache, int size_class) {
  auto& bin = cache.of(size_class);
  auto found = depots_[size_class].take_ready(cache.found, bin.spare);
  if (found == nullptr) return refill_from_span(cache, size_class);
  std::copy_n(found->blocks.begin(), found->count, bin.blocks.begin());
  bin.count = found->count;
  cache.counters.cached_bytes.add(found->count * size_classes::bytes(size_class));
  found->fence.reset();
  found->count = 0;
  bin.spare = std::move(found);
  return true;
}

bool small_heap::refill_from_span(thread_cache& cache, int size_class) {
  auto* const s = new_span(size_class);
  if (s == nullptr) return false;
  auto const magazine_size = magazine_blocks(size_class);
  auto& bin = cache.of(size_class);
  std::uint32_t next = 0;
  for (; next < s->blocks && bin.count < magazine_size; ++next) {
    bin.blocks[bin.count++] = s->base + next * s->block_bytes;
  }
  cache.counters.cached_bytes.add(bin.count * s->block_bytes);
  while (next < s->blocks) {
    auto rest = empty_magazine(bin);
    for (; next < s->blocks && rest->count < magazine_size; ++next) {
      rest->blocks[rest->count++] = s->base + next * s->block_bytes;
    }
    put(cache, size_class, std::move(rest));
  }
  return true;
}

span* small_heap::new_span(int size_class) {
  auto const bytes = size_classes::bytes(size_class);
  for (auto blocks = wanted_blocks; blocks >= 1; blocks /= 2) {
    auto const pages = (blocks * bytes + page_arena::page_bytes - 1) / page_arena::page_bytes;
    auto const run = arena_.allocate(static_cast<std::uint32_t>(pages), thread_node());
    if (!run) continue;
    auto const fit = static_cast<std::uint32_t>(pages * page_arena::page_bytes / bytes);
    auto* const s = new span;
    s->run = *run;
    s->size_class = size_class;
    s->owner = owner_;
    s->blocks = fit;
    s->block_bytes = bytes;
    s->base = spans_.address_of(*run);
    if (checks_) s->held = std::make_unique<std::atomic<std::uint8_t>[]>(fit);
    spans_.enter(s);
    return s;
  }
  return nullptr;
}

std::optional<fence_ptr> small_heap::mark(device_stream on) {
  if (fences_ == nullptr) return fence_ptr{};
  auto* const handle = fences_->record(on);
  if (handle == nullptr) return std::nullopt;
  return std::make_shared<shared_fence>(*fences_, handle);
}

void small_heap::flush_all(thread_cache& cache) {
  if (cache.counters.cached_bytes.get() == 0) return;
  auto const fence = mark(cache.stream());
  for (int c = 0; c < size_classes::count; ++c) {
    auto* const bin = cache.find(c);
    if (bin == nullptr || bin->count == 0) continue;
    if (fence) {
      flush_bin(cache, c, 0, *fence);
    } else {
      park(cache, c);
    }
  }
}

void small_heap::park(thread_cache& cache, int size_class) {
  // Nobody can tell when these are idle: better lost than handed out too early.
  auto& bin = cache.of(size_class);
  parked_.fetch_add(bin.count, std::memory_order_relaxed);
  cache.counters.cached_bytes.subtract(bin.count * size_classes::bytes(size_class));
  bin.count = 0;
}

magazine_ptr small_heap::empty_magazine(thread_cache::bin& bin) {
  return bin.spare != nullptr ? std::move(bin.spare) : std::make_unique<magazine>();
}

void small_heap::put(thread_cache& cache, int size_class, magazine_ptr full) {
  cache.of(size_class).spare = depots_[size_class].put(std::move(full), cache.home);
  auto& worth = worth_reclaiming_[size_class];
  if (!worth.load(std::memory_order_relaxed)) worth = true;
}

void small_heap::flush_bin(thread_cache& cache, int size_class, std::uint32_t keep,
                           fence_ptr const& fence) {
  auto& bin = cache.of(size_class);
  auto const flushed = bin.count - keep;
  for (std::uint32_t next = 0; next < flushed;) {
    auto full = empty_magazine(bin);
    full->count = std::min(flushed - next, magazine_blocks(size_class));
    full->fence = fence;
    std::copy_n(bin.blocks.begin() + next, full->count, full->blocks.begin());
    next += full->count;
    put(cache, size_class, std::move(full));
  }
  std::copy(bin.blocks.begin() + flushed, bin.blocks.begin() + bin.count, bin.blocks.begin());
  bin.count = keep;
  cache.counters.cached_bytes.subtract(flushed * size_classes::bytes(size_class));
}

void small_heap::retire(thread_cache& cache) {
  flush_all(cache);
  caches_.retire(&cache);
}

}  // namespace mooring

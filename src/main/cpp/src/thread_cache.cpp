#include "mooring/thread_cache.hpp"

#include "mooring/small_heap.hpp"

namespace mooring {

thread_cache* cache_registry::acquire(device_stream stream) {
  std::lock_guard lock{mutex_};
  if (idle_.empty()) {
    auto const number = static_cast<std::uint32_t>(all_.size());
    all_.push_back(std::make_unique<thread_cache>(stream, number));
    return all_.back().get();
  }
  auto* const cache = idle_.back();
  idle_.pop_back();
  cache->set_stream(stream);
  return cache;
}

void cache_registry::retire(thread_cache* cache) {
  std::lock_guard lock{mutex_};
  idle_.push_back(cache);
}

cache_totals cache_registry::totals() const {
  std::lock_guard lock{mutex_};
  cache_totals sum;
  // A free follows its allocation, if need be on another thread: all frees are read first.
  for (auto const& cache : all_) {
    for (int c = 0; c < size_classes::count; ++c)
      sum.frees[c] += cache->counters.frees[c].get_acquire();
  }
  for (auto const& cache : all_) {
    auto const& from = cache->counters;
    for (int c = 0; c < size_classes::count; ++c) sum.allocations[c] += from.allocations[c].get();
    sum.requested_bytes += from.requested_bytes.get();
    sum.cached_bytes += from.cached_bytes.get();
  }
  return sum;
}

void cache_registry::cached_bytes(std::vector<std::int64_t>& to) const {
  std::lock_guard lock{mutex_};
  for (auto const& cache : all_) {
    to.push_back(static_cast<std::int64_t>(cache->counters.cached_bytes.get()));
  }
}

namespace {

struct slot {
  small_heap* heap = nullptr;
  device_stream stream{};
  thread_cache* cache = nullptr;
};

// Both faces, and a few streams of the libcudf one: more are rare and only cost a flush.
constexpr std::size_t slot_count = 6;

struct thread_slots {
  std::array<slot, slot_count> slots;
  std::size_t next_victim = 0;

  ~thread_slots() {
    for (auto& s : slots) {
      if (s.cache != nullptr) s.heap->retire(*s.cache);
    }
  }

  thread_cache& claim(small_heap& heap, device_stream stream) {
    for (auto& s : slots) {
      if (s.cache == nullptr) {
        s = {&heap, stream, heap.acquire(stream)};
        return *s.cache;
      }
    }
    auto& victim = slots[next_victim++ % slot_count];
    victim.heap->retire(*victim.cache);
    victim = {&heap, stream, heap.acquire(stream)};
    return *victim.cache;
  }
};

thread_local thread_slots slots_of_thread;

// By itself: it is asked for while the slots are being destroyed.
thread_local int device_of_thread = -1;
thread_local int node_of_thread = -1;

}  // namespace

int thread_device() noexcept { return device_of_thread; }

int thread_node() noexcept { return node_of_thread; }

void set_thread_device(int device, int node) noexcept {
  device_of_thread = device;
  node_of_thread = node;
}

thread_cache& cache_of_thread(small_heap& heap, stream_handle stream) {
  device_stream const on{stream, heap.is_ordered() ? device_of_thread : -1};
  for (auto const& s : slots_of_thread.slots) {
    if (s.heap == &heap && s.stream == on) return *s.cache;
  }
  return slots_of_thread.claim(heap, on);
}

}  // namespace mooring

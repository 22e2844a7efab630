// SPDX-License-Identifier: Apache-2.0

#include "thread_cache.hpp"

#include <algorithm>
#include <new>
#include <type_traits>

#include "small_heap.hpp"

namespace mooring {

std::uint32_t thread_cache::capacity(int size_class) {
  // Two batches: a thread that frees and allocates in turn at a border does not go to the list.
  return 2 * small_heap::batch_blocks(size_class);
}

std::atomic<void*>* thread_cache::make_slots(int size_class) noexcept {
  auto* const slots = new (std::nothrow) std::atomic<void*>[capacity(size_class)] {};
  bins_[size_class].slots.store(slots, std::memory_order_release);
  return slots;
}

std::uint32_t thread_cache::steal(int size_class, void** to) noexcept {
  auto* const slots = bins_[size_class].slots.load(std::memory_order_acquire);
  if (slots == nullptr) return 0;
  std::uint32_t stolen = 0;
  for (std::uint32_t i = 0; i < capacity(size_class); ++i) {
    if (slots[i].load(std::memory_order_relaxed) == nullptr) continue;
    auto* const block = slots[i].exchange(nullptr, std::memory_order_acquire);
    if (block != nullptr) to[stolen++] = block;
  }
  stolen_bytes_.fetch_add(static_cast<std::int64_t>(stolen * size_classes::bytes(size_class)),
                          std::memory_order_relaxed);
  return stolen;
}

std::uint64_t thread_cache::cached_bytes() const noexcept {
  auto const cached = static_cast<std::int64_t>(owner_cached_bytes_.get());
  // The two are read one after the other, and the thread may be at work.
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(0, cached - stolen_bytes_.load(std::memory_order_relaxed)));
}

thread_cache* cache_registry::acquire(int device) {
  std::lock_guard lock{mutex_};
  if (idle_.empty()) {
    // Room for its retirement too, which may not fail.
    idle_.reserve(all_.size() + 1);
    all_.push_back(std::make_unique<thread_cache>());
    idle_.push_back(all_.back().get());
  }
  auto* const cache = idle_.back();
  idle_.pop_back();
  cache->device = device;
  return cache;
}

void cache_registry::retire(thread_cache* cache) {
  std::lock_guard lock{mutex_};
  idle_.push_back(cache);
}

std::vector<thread_cache*> cache_registry::all() const {
  std::lock_guard lock{mutex_};
  std::vector<thread_cache*> caches;
  caches.reserve(all_.size());
  for (auto const& cache : all_) caches.push_back(cache.get());
  return caches;
}

namespace {

struct slot {
  small_heap* heap = nullptr;
  int device = -1;
  thread_cache* cache = nullptr;
};

/// The pool's state of a thread. It has no destructor, because it is used while other thread-local
/// objects are destroyed, and is constant-initialized, so that no access checks for initialization.
struct thread_state {
  // More devices than a thread works for in turn; caches of further devices are flushed.
  static constexpr std::size_t devices = 4;

  int device = -1;
  int node = -1;
  bool is_ending = false;
  /// One cache of Java's heap, which has no device, and those of libcudf's.
  std::array<slot, 1 + devices> slots{};
  std::size_t next_victim = 0;

  void end() {
    // Blocks that later destructors free go past the caches.
    is_ending = true;
    for (auto& s : slots) give_up(s);
  }

  static void give_up(slot& s) {
    if (s.cache != nullptr) s.heap->retire(*s.cache);
    s = {};
  }

  slot& free_slot(small_heap const& heap) {
    if (heap.owner() == client::java) return slots[0];
    for (std::size_t i = 1; i < slots.size(); ++i) {
      if (slots[i].cache == nullptr) return slots[i];
    }
    return slots[1 + next_victim++ % devices];
  }

  thread_cache* claim(small_heap& heap, int device) noexcept try {
    auto& s = free_slot(heap);
    give_up(s);
    s.cache = heap.acquire(device);
    s.heap = &heap;
    s.device = device;
    return s.cache;
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
};

static_assert(std::is_trivially_destructible_v<thread_state>);

constinit thread_local thread_state state;

struct end_of_thread {
  bool awaited = false;
  ~end_of_thread() { state.end(); }
};

thread_local end_of_thread end;

}  // namespace

int thread_device() noexcept { return state.device; }

int thread_node() noexcept { return state.node; }

void set_thread_device(int device, int node) noexcept {
  state.device = device;
  state.node = node;
}

thread_cache* cache_of_thread(small_heap& heap) noexcept {
  auto& mine = state;
  auto const device = heap.is_ordered() ? mine.device : -1;
  for (auto const& s : mine.slots) {
    if (s.heap == &heap && s.device == device) return s.cache;
  }
  if (mine.is_ending) return nullptr;
  end.awaited = true;
  return mine.claim(heap, device);
}

}  // namespace mooring

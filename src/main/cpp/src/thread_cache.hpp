// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "mooring/export.hpp"
#include "size_classes.hpp"

namespace mooring {

class small_heap;

/// A count with one writer and any number of readers: an increment needs no locked instruction.
class owned_counter {
 public:
  void add(std::uint64_t n) noexcept { value_.store(get() + n, std::memory_order_relaxed); }
  void add_release(std::uint64_t n) noexcept { value_.store(get() + n, std::memory_order_release); }
  void subtract(std::uint64_t n) noexcept { value_.store(get() - n, std::memory_order_relaxed); }
  std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }
  std::uint64_t get_acquire() const noexcept { return value_.load(std::memory_order_acquire); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

/// Counts of one cache so far; bytes of whole blocks, except for the bytes requested.
struct cache_counters {
  owned_counter allocations;
  owned_counter allocated_bytes;
  owned_counter requested_bytes;
  owned_counter frees;
  owned_counter freed_bytes;
};

/// The device that the calling thread works on; negative before it has set one.
MOORING_EXPORT int thread_device() noexcept;

/// The NUMA node of that device; negative when it is not known.
int thread_node() noexcept;

/// Sets the device whose streams order the calling thread's allocations and frees, and the node from
/// which it prefers memory. Blocks that it has freed on another device stay with that device.
MOORING_EXPORT void set_thread_device(int device, int node = -1) noexcept;

/**
 * The free blocks that one thread keeps for one heap and device. Its thread alone pushes and pops;
 * any other may steal, one block with one exchange, so that nobody takes a lock.
 */
class alignas(64) thread_cache {
 public:
  /// Most blocks of one class; half of them go at once when there are more.
  static std::uint32_t capacity(int size_class);

  /// The block that was freed last, or null. @param stolen whether others may steal from this cache
  void* pop(int size_class, bool stolen) noexcept {
    auto& b = bins_[size_class];
    while (b.count > 0) {
      auto& slot = b.slots.load(std::memory_order_relaxed)[--b.count];
      auto const bytes = size_classes::bytes(size_class);
      owner_cached_bytes_.subtract(bytes);
      auto* const block = stolen ? slot.exchange(nullptr, std::memory_order_acquire)
                                 : slot.load(std::memory_order_relaxed);
      if (block != nullptr) return block;
      stolen_bytes_.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    }
    return nullptr;
  }

  /// Keeps a block; false when its class is full, or there is no memory for the list.
  bool push(int size_class, void* block) noexcept {
    auto& b = bins_[size_class];
    auto* slots = b.slots.load(std::memory_order_relaxed);
    if (slots == nullptr) slots = make_slots(size_class);
    if (slots == nullptr || b.count == capacity(size_class)) return false;
    owner_cached_bytes_.add(size_classes::bytes(size_class));
    slots[b.count++].store(block, std::memory_order_release);
    return true;
  }

  /// The number of blocks of a class that are kept, stolen ones included; for its own thread.
  std::uint32_t count(int size_class) const noexcept { return bins_[size_class].count; }

  /// Takes blocks away from the thread that keeps them. @return how many, at most capacity()
  std::uint32_t steal(int size_class, void** to) noexcept;

  /// Bytes of the blocks that are kept, for its own thread: includes stolen ones until it notices.
  std::uint64_t owner_cached_bytes() const noexcept { return owner_cached_bytes_.get(); }

  /// Bytes of the blocks that are kept, for any thread.
  std::uint64_t cached_bytes() const noexcept;

  cache_counters counters;
  std::uint64_t allowance = 0;  ///< bytes of the heap's share that this cache may keep
  int device = -1;              ///< whose stream the blocks were freed on; negative: not told

 private:
  struct bin {
    std::uint32_t count = 0;
    /// Never given back: a cache goes from thread to thread, and others may be looking.
    std::atomic<std::atomic<void*>*> slots{nullptr};
  };

  std::atomic<void*>* make_slots(int size_class) noexcept;

  owned_counter owner_cached_bytes_;
  std::atomic<std::int64_t> stolen_bytes_{0};
  std::array<bin, size_classes::count> bins_;
};

/**
 * The caches of all threads for one heap. A thread that ends leaves its cache here, empty, with its
 * counts, for the next thread.
 */
class cache_registry {
 public:
  thread_cache* acquire(int device);
  void retire(thread_cache* cache);

  /// All caches that were ever made.
  std::vector<thread_cache*> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<thread_cache>> all_;
  std::vector<thread_cache*> idle_;
};

/// The cache of the calling thread and its device for a heap; made if need be. Null when the thread
/// is ending, or there is no memory for one.
thread_cache* cache_of_thread(small_heap& heap) noexcept;

}  // namespace mooring

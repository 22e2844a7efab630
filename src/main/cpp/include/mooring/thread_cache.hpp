#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "mooring/depot.hpp"
#include "mooring/export.hpp"
#include "mooring/size_classes.hpp"

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

/// What passed through one cache so far, by size class.
struct cache_counters {
  std::array<owned_counter, size_classes::count> allocations;
  std::array<owned_counter, size_classes::count> frees;
  owned_counter requested_bytes;
  owned_counter cached_bytes;  ///< now, not so far
};

/// Sums over all caches of a heap, whose threads may be at work: each figure is exact, and frees
/// never run ahead of allocations.
struct cache_totals {
  std::array<std::uint64_t, size_classes::count> allocations{};
  std::array<std::uint64_t, size_classes::count> frees{};
  std::uint64_t requested_bytes = 0;
  std::uint64_t cached_bytes = 0;
};

/// The device that the calling thread works on; negative before it has told.
MOORING_EXPORT int thread_device() noexcept;

/// The NUMA node of that device; negative when it is not known.
int thread_node() noexcept;

/// Tells on which device the calling thread makes and frees what is ordered by streams, and near
/// which node its memory is to be. Blocks that it has freed on another device stay with that one.
MOORING_EXPORT void set_thread_device(int device, int node = -1) noexcept;

/// The free blocks that one thread keeps for one heap and one stream. Used by that thread alone.
class alignas(64) thread_cache {
 public:
  /// Two magazines: a thread that frees and allocates in turn at a border does not go to the depot.
  static constexpr std::uint32_t bin_blocks = 2 * magazine::most_blocks;

  struct bin {
    std::uint32_t count = 0;
    magazine_ptr spare;  ///< empty, for the next exchange with the depot; or null
    std::array<void*, bin_blocks> blocks;
  };

  thread_cache(device_stream stream, std::uint32_t number)
      : home{number}, found{number}, stream_{stream} {}

  device_stream stream() const { return stream_; }
  void set_stream(device_stream stream) { stream_ = stream; }

  bin& of(int size_class) {
    auto& b = bins_[size_class];
    if (b == nullptr) b = std::make_unique<bin>();
    return *b;
  }

  /// The bin of a class that this cache has used, or null.
  bin* find(int size_class) const { return bins_[size_class].get(); }

  cache_counters counters;
  std::uint32_t const home;  ///< where it puts into a depot
  std::uint32_t found;       ///< where it last took something out of a depot

 private:
  device_stream stream_;
  std::array<std::unique_ptr<bin>, size_classes::count> bins_;
};

/**
 * The caches of all threads for one heap. A thread that ends leaves its cache here, empty, with its
 * counts, for the next thread.
 */
class cache_registry {
 public:
  thread_cache* acquire(device_stream stream);
  void retire(thread_cache* cache);

  /// Adds up all caches there ever were.
  cache_totals totals() const;

  /// Appends the bytes that each cache keeps; those of threads that ended keep none.
  void cached_bytes(std::vector<std::int64_t>& to) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<thread_cache>> all_;
  std::vector<thread_cache*> idle_;
};

/// The cache of the calling thread and its device for (heap, stream); makes it, or takes over the
/// one used longest ago after flushing it.
thread_cache& cache_of_thread(small_heap& heap, stream_handle stream);

}  // namespace mooring

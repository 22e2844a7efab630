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
  std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

/// What passed through one cache so far. Differences of sums give what is in use and cached.
struct cache_counters {
  owned_counter allocations;
  owned_counter frees;
  owned_counter requested_bytes;
  owned_counter allocated_bytes;
  owned_counter freed_bytes;
  owned_counter filled_bytes;   ///< came in from depot or arena
  owned_counter flushed_bytes;  ///< went out to the depot
};

/// The free blocks that one thread keeps for one heap and one stream. Used by that thread alone.
class thread_cache {
 public:
  /// Two magazines: a thread that frees and allocates in turn at a border does not go to the depot.
  static constexpr std::uint32_t bin_blocks = 2 * magazine::most_blocks;

  struct bin {
    std::array<void*, bin_blocks> blocks;
    std::uint32_t count = 0;
  };

  explicit thread_cache(stream_handle stream) : stream_{stream} {}

  stream_handle stream() const { return stream_; }
  void set_stream(stream_handle stream) { stream_ = stream; }

  bin& of(int size_class) {
    auto& b = bins_[size_class];
    if (b == nullptr) b = std::make_unique<bin>();
    return *b;
  }

  /// The bin of a class that this cache has used, or null.
  bin* find(int size_class) const { return bins_[size_class].get(); }

  std::uint64_t cached_bytes() const {
    return counters.filled_bytes.get() + counters.freed_bytes.get() -
           counters.allocated_bytes.get() - counters.flushed_bytes.get();
  }

  cache_counters counters;

 private:
  stream_handle stream_;
  std::array<std::unique_ptr<bin>, size_classes::count> bins_;
};

/**
 * The caches of all threads for one heap. A thread that ends leaves its cache here, empty, with its
 * counts, for the next thread.
 */
class cache_registry {
 public:
  thread_cache* acquire(stream_handle stream);
  void retire(thread_cache* cache);

  /// Adds up `field` over all caches there ever were.
  std::uint64_t sum(owned_counter cache_counters::*field) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<thread_cache>> all_;
  std::vector<thread_cache*> idle_;
};

/// The cache of the calling thread for (heap, stream); makes it, or takes over the one used longest
/// ago after flushing it.
thread_cache& cache_of_thread(small_heap& heap, stream_handle stream);

}  // namespace mooring

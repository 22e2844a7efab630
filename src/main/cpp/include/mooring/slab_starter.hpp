#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "mooring/export.hpp"
#include "mooring/page_arena.hpp"
#include "mooring/pool_stats.hpp"
#include "mooring/slab.hpp"

namespace mooring {

/**
 * Fills an arena with the memory of a slab in the background: several threads touch stripes in
 * order, one thread pins chunks behind them, and each chunk serves as soon as it is pinned. Pinning
 * is one after the other inside the driver whoever asks, so one thread does it while the others
 * touch. Grows on request up to the slab's size, and gives idle chunks back. Thread-safe.
 */
class MOORING_EXPORT slab_starter {
 public:
  /// @param device whose driver pins the memory; negative: nothing is pinned
  slab_starter(slab& memory, page_arena& arena, int threads, int device)
      : memory_{memory}, arena_{arena}, threads_{threads}, device_{device} {}

  /// Starts to bring `bytes` into use; returns at once.
  void start(std::size_t bytes);

  /// Asks for at least `bytes` more than there are, in the background; false at the greatest size.
  bool request_growth(std::size_t bytes);

  /// Gives back idle chunks, last first, until `bytes` are left.
  void trim(std::size_t bytes);

  /// Waits until nothing is being brought into use; false when the time is over first.
  bool await(std::chrono::milliseconds time);

  pool_state state() const { return state_.load(std::memory_order_acquire); }
  std::size_t capacity() const { return capacity_.load(std::memory_order_acquire); }
  std::int64_t startup_nanos() const { return startup_nanos_.load(std::memory_order_relaxed); }
  std::int64_t first_chunk_nanos() const { return first_nanos_.load(std::memory_order_relaxed); }

  /// Why the last chunk was refused; empty when none was.
  std::string refusal() const;

 private:
  struct chunk {
    std::size_t offset;
    std::size_t bytes;
  };

  void run();
  void bring_into_use(std::size_t from, std::size_t to);
  bool finish_chunk(chunk c);
  void refuse(std::string why);

  slab& memory_;
  page_arena& arena_;
  int threads_;
  int device_;
  std::atomic<pool_state> state_{pool_state::off};
  std::atomic<std::size_t> capacity_{0};
  std::atomic<std::int64_t> startup_nanos_{0};
  std::atomic<std::int64_t> first_nanos_{0};
  std::chrono::steady_clock::time_point started_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t wanted_ = 0;
  bool working_ = false;
  std::vector<chunk> chunks_;
  std::string refusal_;
};

}  // namespace mooring

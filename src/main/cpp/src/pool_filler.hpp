// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "mooring/export.hpp"
#include "mooring/pool.hpp"
#include "page_arena.hpp"
#include "registration_boundaries.hpp"
#include "slab.hpp"
#include "slab_source.hpp"

namespace mooring {

class page_toucher;

/// Options for filling a slab.
struct filler_options {
  std::size_t extent_bytes;  ///< most that is registered in one call
  int touch_threads;
  int pin_threads;
  std::vector<int> nodes = {};  ///< NUMA nodes over which extents are divided; empty: any
  /// The pause after a refusal before more is asked for; doubled after each further refusal.
  std::chrono::milliseconds pause = std::chrono::seconds{10};
};

/**
 * Fills an arena with the memory of a slab in the background: some threads touch stripes in order,
 * others register extents behind them, and each extent serves as soon as it is registered. Grows on
 * request up to the slab's size, and gives idle extents back. Thread-safe; the source is called
 * under no lock.
 */
class MOORING_EXPORT pool_filler {
 public:
  pool_filler(slab const& memory, page_arena& arena, registration_boundaries& boundaries,
              slab_source& source, filler_options options)
      : memory_{memory},
        arena_{arena},
        boundaries_{boundaries},
        source_{source},
        options_{std::move(options)} {}

  /// Starts to bring `bytes` into use. Returns at once; where no thread can be made, when they are in
  /// use.
  void start(std::size_t bytes);

  /// Asks for at least `bytes` more, in the background. @return false when they cannot come, or not
  /// yet after a refusal
  bool request_growth(std::size_t bytes);

  /// Gives idle extents that growth has added back, last first, while at least `bytes` remain. Waits
  /// for the devices that may be copying.
  void trim(std::size_t bytes);

  /// Waits until nothing is being brought into use. @return false when the time is over first
  bool await(std::chrono::milliseconds time);

  pool_state state() const { return state_.load(std::memory_order_acquire); }
  std::size_t extent_bytes() const { return options_.extent_bytes; }
  std::size_t capacity() const { return capacity_.load(std::memory_order_acquire); }
  std::int64_t startup_nanos() const { return startup_nanos_.load(std::memory_order_relaxed); }
  std::int64_t first_extent_nanos() const { return first_nanos_.load(std::memory_order_relaxed); }

  /// The extents that came into use since the last call.
  std::vector<registration> take_registrations();

  /// Why the last extent was refused; empty when none was.
  std::string refusal() const;

 private:
  bool begin(std::size_t from, std::size_t to, std::size_t first);
  void run(std::size_t from, std::size_t to, std::size_t first) noexcept;
  void fill(std::vector<extent>& extents, std::size_t to);
  void end_work();
  std::size_t end_of_extents() const;
  void bind(std::vector<extent>& extents);
  bool pin_first(extent first);
  void pin_rest(std::vector<extent> const& extents, std::size_t to);
  bool finish(extent e, page_toucher& pages) noexcept;
  bool refuse(std::string why);
  bool take_last(std::size_t bytes, extent& out);
  std::int64_t nanos_since_start() const;

  slab const& memory_;
  page_arena& arena_;
  registration_boundaries& boundaries_;
  slab_source& source_;
  filler_options options_;
  std::atomic<pool_state> state_{pool_state::off};
  std::atomic<std::size_t> capacity_{0};
  std::atomic<std::int64_t> startup_nanos_{0};
  std::atomic<std::int64_t> first_nanos_{0};
  std::chrono::steady_clock::time_point started_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool working_ = false;
  std::size_t wanted_ = 0;  ///< bytes of the start
  std::chrono::milliseconds pause_{0};
  std::chrono::steady_clock::time_point paused_until_;
  std::vector<extent> extents_;
  std::vector<registration> registrations_;
  std::string refusal_;
};

}  // namespace mooring

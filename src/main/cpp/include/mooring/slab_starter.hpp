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
#include "mooring/registration_borders.hpp"
#include "mooring/slab.hpp"
#include "mooring/slab_source.hpp"

namespace mooring {

class touching;

/// A stretch of a slab that is pinned in one call; offset and length in bytes.
struct chunk {
  std::size_t offset;
  std::size_t bytes;
  int node = -1;  ///< NUMA node of its pages; negative: any
};

/// How a chunk came into use; times in nanoseconds.
struct registration {
  chunk where;
  std::int64_t since_start;  ///< when it was usable, after the pool's start
  std::int64_t took;         ///< in the driver
};

/// How a slab is brought into use.
struct starter_options {
  std::size_t chunk_bytes;  ///< most that is pinned in one call
  int touch_threads;
  int pin_threads;
  std::vector<int> nodes = {};  ///< NUMA nodes that chunks are shared out to; empty: any
  /// After a refusal nothing more is asked for that long, and twice as long after each further one.
  std::chrono::milliseconds pause = std::chrono::seconds{10};
};

/**
 * Fills an arena with the memory of a slab in the background: some threads touch stripes in order,
 * others pin chunks behind them, and each chunk serves as soon as it is pinned. Grows on request up
 * to the slab's size, and gives idle chunks back. Each stretch of some chunks is bound to the NUMA
 * node that has the fewest bytes so far. Thread-safe; the source is called under no lock.
 */
class MOORING_EXPORT slab_starter {
 public:
  slab_starter(slab const& memory, page_arena& arena, registration_borders& borders,
               slab_source& source, starter_options options)
      : memory_{memory}, arena_{arena}, borders_{borders}, source_{source}, options_{options} {}

  /// Starts to bring `bytes` into use; returns at once, or where no thread can be made when they
  /// are.
  void start(std::size_t bytes);

  /// Asks for at least `bytes` more, in the background; false when they cannot come, or not yet
  /// after a refusal.
  bool request_growth(std::size_t bytes);

  /// Gives back idle chunks that growth has added, last first, while at least `bytes` are left.
  /// Waits for the devices that may be copying.
  void trim(std::size_t bytes);

  /// Waits until nothing is being brought into use; false when the time is over first.
  bool await(std::chrono::milliseconds time);

  pool_state state() const { return state_.load(std::memory_order_acquire); }
  std::size_t chunk_bytes() const { return options_.chunk_bytes; }
  std::size_t capacity() const { return capacity_.load(std::memory_order_acquire); }
  std::int64_t startup_nanos() const { return startup_nanos_.load(std::memory_order_relaxed); }
  std::int64_t first_chunk_nanos() const { return first_nanos_.load(std::memory_order_relaxed); }

  /// The chunks that came into use since the last call.
  std::vector<registration> take_registrations();

  /// Why the last chunk was refused; empty when none was.
  std::string refusal() const;

 private:
  bool begin(std::size_t from, std::size_t to, std::size_t first);
  void run(std::size_t from, std::size_t to, std::size_t first) noexcept;
  void fill(std::vector<chunk>& chunks, std::size_t to);
  void end_work();
  std::size_t end_of_chunks() const;
  void bind(std::vector<chunk>& chunks);
  bool pin_first(chunk first);
  void pin_rest(std::vector<chunk> const& chunks, std::size_t to);
  bool finish(chunk c, touching& pages) noexcept;
  bool refuse(std::string why);
  bool take_last(std::size_t bytes, chunk& out);
  std::int64_t nanos_since_start() const;

  slab const& memory_;
  page_arena& arena_;
  registration_borders& borders_;
  slab_source& source_;
  starter_options options_;
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
  std::vector<chunk> chunks_;
  std::vector<registration> registrations_;
  std::string refusal_;
};

}  // namespace mooring

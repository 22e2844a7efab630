#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "mooring/export.hpp"
#include "mooring/magazine.hpp"
#include "mooring/spin_lock.hpp"

namespace mooring {

/**
 * A part of a depot. Idle magazines leave last in, first out, because their blocks are still in
 * somebody's cache; fenced ones behind them and in order of age, because old marks pass first.
 * Thread-safe; its lock is held for a few instructions and never while a fence is asked.
 */
class alignas(64) depot_shard {
 public:
  /// Takes a full magazine. @return an empty one for it, or null when there is none
  magazine_ptr put(magazine_ptr full);

  /// A full magazine for an empty one, which is taken only then; null when there is none.
  magazine_ptr pop(magazine_ptr& empty);

  /// Moves all full magazines to the end of `to`, and gives the empty ones back to the system.
  void drain(std::vector<magazine_ptr>& to);

  /// Full magazines; may be out of date.
  std::uint32_t count() const { return count_.load(std::memory_order_relaxed); }

 private:
  magazine_ptr take_first();

  spin_lock lock_;
  std::atomic<std::uint32_t> count_{0};
  magazine_ptr first_;
  magazine* last_ = nullptr;
  magazine_ptr empties_;
};

static_assert(sizeof(depot_shard) == 64, "one cache line goes from thread to thread");

/**
 * The free magazines of one size class. Full ones are exchanged for empty ones, so that a flow of
 * blocks from thread to thread allocates nothing. Each thread puts into a shard of its own and
 * takes where it last found some, so that a pair of threads meets where no other comes.
 * Thread-safe.
 */
class MOORING_EXPORT depot {
 public:
  static constexpr std::uint32_t shards = 16;

  /// Takes a full magazine into the shard of a thread. @return an empty one, or null
  magazine_ptr put(magazine_ptr full, std::uint32_t thread);

  /**
   * A magazine whose fence has passed, or null. Those that have not are skipped, never waited for.
   *
   * @param shard where to look first; afterwards where the magazine was
   * @param empty given for the magazine; may be null
   */
  magazine_ptr take_ready(std::uint32_t& shard, magazine_ptr& empty);

  /// Everything, ready or not.
  std::vector<magazine_ptr> take_all();

 private:
  magazine_ptr take_ready_of(depot_shard& from, int& tries, magazine_ptr& empty);

  std::array<depot_shard, shards> shards_;
};

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "deferred_frees.hpp"
#include "evictable_blocks.hpp"
#include "fallback_store.hpp"
#include "fence.hpp"
#include "large_heap.hpp"
#include "mooring/pool.hpp"
#include "page_arena.hpp"
#include "pool_filler.hpp"
#include "registration_boundaries.hpp"
#include "slab.hpp"
#include "slab_source.hpp"
#include "small_heap.hpp"
#include "span_table.hpp"
#include "wait_queue.hpp"

namespace mooring {

/**
 * The parts of a pool. `small_heap` says when a block of libcudf may be used again. Its base class
 * has no virtual functions, so that a call costs no more than one of this class would.
 */
class MOORING_EXPORT pool_impl final : public pool {
 public:
  /**
   * Starts to fill the pool in the background.
   *
   * @param fences how libcudf's frees are marked; null: a freed block is idle at once
   * @param source of memory; null: by the device of the options
   * @throws std::invalid_argument for sizes or thread counts that make no sense
   */
  pool_impl(pool_options const& options, std::unique_ptr<fence_source> fences,
            std::unique_ptr<slab_source> source = nullptr);
  ~pool_impl() = delete;

  pool_filler& filler() { return filler_; }
  fallback_store& fallback() { return fallback_; }
  wait_queue const& waiters() const { return waiters_; }
  small_heap& heap(client owner) { return owner == client::java ? java_ : libcudf_; }

 private:
  friend class pool;

  void* allocate_in_turn(std::size_t bytes, refusal_cause& cause) noexcept;
  /// Allocates; where there is no room it makes some, or asks for growth.
  void* serve(client owner, std::size_t bytes, stream_handle stream) noexcept;
  void* try_serve(client owner, std::size_t bytes, stream_handle stream);
  /// Allocates memory that evicted blocks leave.
  void* serve_by_eviction(client owner, std::size_t bytes, stream_handle stream);
  bool release(client owner, void* address, stream_handle stream) noexcept;
  /// Most bytes that one Java buffer may ever have.
  std::size_t most_for_java() const;
  /// Takes back what is free but kept: blocks whose stream has passed, and caches of idle threads.
  void make_room();
  void request_growth(client owner, std::size_t bytes);
  /// Makes a block of libcudf usable again once nothing reads it.
  void settle(void* block);
  void count_fallback(refusal_cause cause, std::size_t bytes) noexcept;
  refusal_cause cause_of_refusal(std::size_t bytes) const noexcept;

  pool_options options_;
  slab memory_;
  page_arena arena_;
  span_table spans_;
  std::unique_ptr<fence_source> fences_;
  std::unique_ptr<slab_source> source_;
  registration_boundaries boundaries_;
  pool_filler filler_;
  deferred_frees deferred_;
  small_heap java_;
  small_heap libcudf_;
  large_heap large_;
  evictable_blocks evictable_;
  std::mutex evicting_;  ///< taken before all other locks
  wait_queue waiters_;
  fallback_store fallback_;
  std::atomic<std::uint64_t> lost_frees_{0};
  std::atomic<std::uint64_t> host_allocs_{0};
  std::array<std::atomic<std::uint64_t>, cause_count> fallbacks_{};
  std::array<std::atomic<std::uint64_t>, cause_count> fallback_bytes_{};
};

inline pool_impl& impl_of(pool& p) { return static_cast<pool_impl&>(p); }
inline pool_impl const& impl_of(pool const& p) { return static_cast<pool_impl const&>(p); }

/// Starts a pool with another source of memory than the device of the options.
MOORING_EXPORT bool start_process_pool(pool_options const& options,
                                       std::unique_ptr<slab_source> source);

}  // namespace mooring

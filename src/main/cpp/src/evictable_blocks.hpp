// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "large_heap.hpp"
#include "mooring/export.hpp"
#include "span_table.hpp"

namespace mooring {

/**
 * Large Java buffers with bytes that are worth keeping only while nobody needs the memory. A block
 * that nobody reads can be evicted by any thread, at once: no copy of it is in flight. It does not
 * count as in use. Thread-safe; makes no CUDA call.
 */
class MOORING_EXPORT evictable_blocks {
 public:
  evictable_blocks(span_table& spans, large_heap& large) : spans_{spans}, large_{large} {}

  /// Takes over a Java buffer, which nobody reads at first. @return 0 when `address` is not a large
  /// buffer in use
  evictable_id add(void* address);

  /// Keeps a block from eviction until `release`, which is called once for each successful call.
  /// @return false when the block has been evicted or removed
  bool acquire(evictable_id id) noexcept;
  void release(evictable_id id);

  /// Gives a block back, once nobody reads it; not counted as an eviction.
  void remove(evictable_id id);

  /// Evicts the block that was released longest ago, with as many idle neighbours as make a run of
  /// `bytes`. @return false when every block is being read, or there is none
  bool evict(std::size_t bytes);

  /// Evicts the blocks from `address` on that nobody reads.
  void evict_from(std::byte const* address);

  /// The blocks that were evicted since the last call.
  std::vector<evictable_id> take_evicted();

  /// Bytes of the blocks that nobody reads.
  std::uint64_t idle_bytes() const;
  /// Evictions so far, and their bytes.
  std::uint64_t evictions() const;
  std::uint64_t evicted_bytes() const;

 private:
  struct block {
    span* where;
    std::uint32_t readers = 0;
    bool removed = false;
    std::list<std::byte*>::iterator place{};  ///< while it is idle
  };
  using idle_map = std::map<std::byte*, evictable_id>;

  void put_idle(evictable_id id, block& b);
  void take_idle(block const& b) noexcept;
  void free_idle(evictable_id id, block const& b);
  idle_map::iterator evict_one(idle_map::iterator at);
  std::size_t bytes_of(idle_map::const_iterator at) const;

  span_table& spans_;
  large_heap& large_;
  mutable std::mutex mutex_;
  std::unordered_map<evictable_id, block> blocks_;
  idle_map idle_;
  std::list<std::byte*> oldest_first_;  ///< addresses of idle blocks
  std::vector<evictable_id> evicted_;   ///< has room for all blocks
  evictable_id last_ = 0;
  std::uint64_t idle_bytes_ = 0;
  std::uint64_t evictions_ = 0;
  std::uint64_t evicted_bytes_ = 0;
};

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mooring/export.hpp"
#include "wait_queue.hpp"

namespace mooring {

/**
 * Pageable buffers for when the pool cannot serve: touched, kept and used again, because fresh
 * pages cost more than the copy, and never more than a limit. What nobody wants any more goes back
 * to the system. Thread-safe; memory is mapped and unmapped outside its lock.
 */
class MOORING_EXPORT fallback_store {
 public:
  /**
   * @param limit most bytes that are in use or kept
   * @param waiters notified of what comes free; may be null
   */
  explicit fallback_store(std::size_t limit, wait_queue* waiters = nullptr)
      : limit_{limit}, waiters_{waiters} {}

  /// A buffer of at least `bytes`; null when the limit has no room for it, or the system no memory.
  void* allocate(std::size_t bytes) noexcept;

  /// @return false when `address` is not a buffer of this store in use
  bool free(void* address);

  /// Gives buffers that were not used since the last call back to the system. Meant for a timer.
  void trim();

  /// Bytes in use or kept for reuse.
  std::size_t held() const;
  std::size_t limit() const { return limit_; }

  /// The bytes that a request takes: whole pages, and eight steps to each doubling, so that buffers
  /// fit again.
  static std::size_t rounded(std::size_t bytes);

 private:
  struct idle_buffer {
    void* address;
    std::uint64_t trims;  // of the store when it was given back
  };
  using block = std::pair<std::size_t, void*>;

  void* reuse(std::size_t size);
  bool reserve(std::size_t size, std::vector<block>& evicted);
  void evict(std::multimap<std::size_t, idle_buffer>::iterator which, std::vector<block>& evicted);
  void* map_reserved(std::size_t size) noexcept;

  std::size_t limit_;
  wait_queue* waiters_;
  mutable std::mutex mutex_;
  std::multimap<std::size_t, idle_buffer> idle_;  // of one size, the last one given back is behind
  std::unordered_map<void*, std::size_t> in_use_;
  std::size_t held_ = 0;
  std::size_t idle_bytes_ = 0;
  std::uint64_t trims_ = 0;
};

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "fence.hpp"
#include "mooring/export.hpp"

namespace mooring {

/**
 * Blocks of libcudf that were freed while their stream may still read them, oldest first: each
 * batch waits behind a mark of its stream. The addresses stand here and not inside the blocks,
 * which a copy in flight may still use. Thread-safe; marks are made and asked for under no lock.
 */
class MOORING_EXPORT deferred_frees {
 public:
  /// @param fences null: a freed block is idle
  /// @param settle what is done with a block that is idle; called under this list's lock
  deferred_frees(fence_source* fences, std::function<void(void*)> settle)
      : fences_{fences}, settle_{std::move(settle)} {}

  /**
   * Takes blocks that were freed on one stream, by the calling thread. Where the stream cannot be
   * marked they are kept until `settle_unmarked`.
   *
   * @throws std::bad_alloc without memory to remember them by; they are the caller's still
   */
  void add(std::vector<void*> blocks, device_stream freed_on);

  /// Adds one block; settles more batches than it adds, so that few wait.
  void add_one(void* block, device_stream freed_on) {
    settle_passed(2);
    add({block}, freed_on);
  }

  /// Settles those of the oldest `most` batches whose marks have passed, and moves the others to
  /// the end.
  void settle_passed(std::size_t most = SIZE_MAX);

  /// Waits for the devices of blocks that could not be marked, and settles these. Not to be called
  /// beside scans.
  void settle_unmarked();

  /// Batches that wait for a mark.
  std::size_t batches() const { return batches_.load(std::memory_order_relaxed); }

  /// Blocks that could not be marked.
  std::uint64_t unmarked_blocks() const { return unmarked_.load(std::memory_order_relaxed); }

 private:
  /// The last owner gives the fence back to its source.
  using mark = std::shared_ptr<void>;

  struct batch {
    std::vector<void*> blocks;
    int device;
    mark waits_for;  ///< null: the stream could not be marked
  };

  void settle(batch const& done);
  std::vector<mark> oldest_marks(std::size_t most);

  fence_source* fences_;
  std::function<void(void*)> settle_;
  std::mutex mutex_;
  std::list<batch> marked_;
  std::list<batch> unmarkable_;
  std::atomic<std::size_t> batches_{0};
  std::atomic<std::uint64_t> unmarked_{0};
};

}  // namespace mooring

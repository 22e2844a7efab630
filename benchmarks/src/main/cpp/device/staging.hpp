// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace mooring::bench {

/**
 * Threads that fill numbered chunks of a source into a ring of slots, in order of their numbers,
 * each chunk by one thread. A slot is filled again only after its last user is done with it.
 * `await` and `issued` belong to one consumer, who takes the chunks in order. Destroying it waits
 * for the threads, so all chunks have to be issued by then, or stop() called.
 */
class staging {
 public:
  struct steps {
    std::function<void(std::size_t chunk, std::size_t slot)> fill;  ///< must not throw
    std::function<bool(std::size_t slot)> free;  ///< waits for the issued work; false on failure
  };

  staging(std::size_t chunks, std::size_t slots, int threads, steps how)
      : how_{std::move(how)}, slots_{slots}, filled_(chunks), issued_(chunks) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }

  ~staging() {
    stop();
    for (auto& thread : threads_) thread.join();
  }

  staging(staging const&) = delete;
  staging& operator=(staging const&) = delete;

  std::size_t slot_of(std::size_t chunk) const { return chunk % slots_; }

  /// Waits until a chunk lies in its slot; false when staging stopped.
  bool await(std::size_t chunk) {
    filled_[chunk].wait(pending);
    return filled_[chunk] == done;
  }

  /// Tells that the work which reads a chunk's slot has been enqueued, so that free() can wait for
  /// it.
  void issued(std::size_t chunk) { mark(issued_[chunk], done); }

  /// Ends the threads; chunks that are not filled yet stay so, and await() returns false for them.
  void stop() {
    stopped_ = true;
    for (auto& chunk : issued_) mark(chunk, failed);
  }

 private:
  enum progress : int { pending, done, failed };

  /// The first mark stands.
  static void mark(std::atomic<int>& where, progress what) {
    int expected = pending;
    where.compare_exchange_strong(expected, what);
    where.notify_all();
  }

  bool slot_is_free(std::size_t chunk) {
    if (stopped_) return false;
    if (chunk < slots_) return true;
    auto& last_user = issued_[chunk - slots_];
    last_user.wait(pending);
    return last_user == done && how_.free(slot_of(chunk));
  }

  void work() {
    for (auto chunk = next_++; chunk < filled_.size(); chunk = next_++) {
      bool const good = slot_is_free(chunk);
      if (good) how_.fill(chunk, slot_of(chunk));
      mark(filled_[chunk], good ? done : failed);
    }
  }

  steps how_;
  std::size_t slots_;
  std::vector<std::atomic<int>> filled_;
  std::vector<std::atomic<int>> issued_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopped_{false};
  std::vector<std::thread> threads_;
};

}  // namespace mooring::bench

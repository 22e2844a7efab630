// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace mooring::bench {

/// Threads that are kept from one period to the next, as executors keep theirs: some allocators
/// remember every thread there ever was. One caller at a time; never destroyed.
class crew {
 public:
  /// The crew of this process, made at the first call.
  static crew& shared() {
    static auto& only = *new crew;
    return only;
  }

  /// Runs `work(index)` on so many threads, which all begin at once. Returns the seconds from then
  /// until the last of them was done.
  double timed(int threads, std::function<void(int)> const& work) {
    std::atomic<int> arrived{0};
    std::atomic<bool> go{false};
    start(threads, [&](int index) {
      ++arrived;
      while (!go) std::this_thread::yield();
      work(index);
    });
    while (arrived < threads) std::this_thread::yield();
    auto const begin = std::chrono::steady_clock::now();
    go = true;
    join();
    return std::chrono::duration<double>{std::chrono::steady_clock::now() - begin}.count();
  }

  /// Runs `work(index)` on so many threads; returns at once.
  void start(int threads, std::function<void(int)> work) {
    std::lock_guard lock{mutex_};
    work_ = std::move(work);
    wanted_ = busy_ = threads;
    for (; size_ < threads; ++size_) {
      std::thread{[this, index = size_, last_turn = turn_] { serve(index, last_turn); }}.detach();
    }
    ++turn_;
    changed_.notify_all();
  }

  /// Waits until all of them are done.
  void join() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void serve(int index, unsigned long last_turn) {
    std::unique_lock lock{mutex_};
    for (;;) {
      changed_.wait(lock, [&] { return turn_ != last_turn; });
      last_turn = turn_;
      if (index >= wanted_) continue;
      lock.unlock();
      work_(index);
      lock.lock();
      if (--busy_ == 0) changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void(int)> work_;
  unsigned long turn_ = 0;
  int size_ = 0;
  int wanted_ = 0;
  int busy_ = 0;
};

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#include "trace_replay.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

#include "crew.hpp"

namespace mooring::bench {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::uint64_t window = 1024;

struct alignas(64) position {
  std::atomic<std::uint64_t> turn{0};
};

class run {
 public:
  run(arm& arm, trace const& what)
      : arm_{arm}, what_{what}, blocks_(what.bytes.size()), positions_(what.threads.size()) {
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      positions_[i].turn = what.threads[i].front().turn;
    }
  }

  void play(std::size_t thread, histogram& times) {
    auto const& steps = what_.threads[thread];
    std::uint64_t allowed = 0;
    for (auto const& step : steps) {
      positions_[thread].turn.store(step.turn, std::memory_order_release);
      while (step.turn > allowed) {
        allowed = slowest() + window;
        if (step.turn > allowed) std::this_thread::yield();
      }
      if (step.is_free) {
        free(step);
      } else {
        allocate(step, times);
      }
    }
    positions_[thread].turn = std::numeric_limits<std::uint64_t>::max();
  }

  void free_leftovers() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      auto* const block = blocks_[i].load();
      if (block == nullptr || block == refused()) continue;
      arm_.free(block, what_.bytes[i], what_.ordered[i]);
    }
  }

  std::uint64_t refusals() const { return refusals_; }

 private:
  /// Stands for a block that could not be had.
  void* refused() { return &refusals_; }

  std::uint64_t slowest() const {
    auto least = std::numeric_limits<std::uint64_t>::max() - window;
    for (auto const& p : positions_)
      least = std::min(least, p.turn.load(std::memory_order_acquire));
    return least;
  }

  void allocate(trace_step const& step, histogram& times) {
    auto const before = clock::now();
    auto* block = arm_.allocate(what_.bytes[step.block], step.ordered);
    auto const time = std::chrono::nanoseconds{clock::now() - before}.count();
    times.add(static_cast<std::uint64_t>(time));
    if (block == nullptr) {
      ++refusals_;
      block = refused();
    }
    blocks_[step.block].store(block, std::memory_order_release);
  }

  void free(trace_step const& step) {
    auto& place = blocks_[step.block];
    void* block = place.load(std::memory_order_acquire);
    for (; block == nullptr; block = place.load(std::memory_order_acquire)) {
      std::this_thread::yield();
    }
    place.store(nullptr, std::memory_order_relaxed);
    if (block != refused()) arm_.free(block, what_.bytes[step.block], step.ordered);
  }

  arm& arm_;
  trace const& what_;
  std::vector<std::atomic<void*>> blocks_;
  std::vector<position> positions_;
  std::atomic<std::uint64_t> refusals_{0};
};

void set_bytes(arm& arm, trace const& what, replay_result& out) {
  for (std::size_t i = 0; i < what.bytes.size(); ++i) {
    auto const requested = std::max(what.bytes[i], 1UL);
    out.requested += requested;
    out.granted += arm.granted(requested, what.ordered[i]);
  }
}

}  // namespace

replay_result replay(arm& arm, trace const& what) {
  run all{arm, what};
  std::vector<histogram> times(what.threads.size());
  replay_result result;
  result.seconds = crew::shared().timed(static_cast<int>(times.size()), [&](int index) {
    auto const i = static_cast<std::size_t>(index);
    all.play(i, times[i]);
  });
  result.refused = all.refusals();
  for (auto const& t : times) result.allocations.add(t);
  result.pool = arm.fragments();
  all.free_leftovers();
  set_bytes(arm, what, result);
  return result;
}

}  // namespace mooring::bench

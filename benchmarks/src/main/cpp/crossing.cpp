// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "crew.hpp"
#include "random.hpp"
#include "rate.hpp"

namespace mooring::bench {

namespace {

struct batch {
  static constexpr std::uint32_t size = 32;

  std::array<void*, size> blocks;
  std::array<std::size_t, size> bytes;
  std::uint32_t count = 0;
};

/// One writer, one reader; slots are filled and emptied in place.
class ring {
 public:
  static constexpr std::uint64_t size = 4;

  batch* slot_to_fill() {
    return written_.load(rx) - read_.load(acq) < size ? &at(written_) : nullptr;
  }
  void filled() { written_.store(written_.load(rx) + 1, std::memory_order_release); }
  batch* slot_to_empty() { return read_.load(rx) < written_.load(acq) ? &at(read_) : nullptr; }
  void emptied() { read_.store(read_.load(rx) + 1, std::memory_order_release); }

 private:
  static constexpr auto rx = std::memory_order_relaxed;
  static constexpr auto acq = std::memory_order_acquire;

  batch& at(std::atomic<std::uint64_t> const& index) { return batches_[index.load(rx) % size]; }

  alignas(128) std::atomic<std::uint64_t> written_{0};
  alignas(128) std::atomic<std::uint64_t> read_{0};
  alignas(128) std::array<batch, size> batches_;
};

/// One thread's work on a ring: so many blocks to allocate, and so many to free.
class station {
 public:
  station(arm& arm, bool ordered, ring& line, std::uint64_t to_fill, std::uint64_t to_empty)
      : arm_{arm}, ordered_{ordered}, line_{line}, to_fill_{to_fill}, to_empty_{to_empty} {}

  bool done() const { return to_fill_ == 0 && to_empty_ == 0; }

  /// False when there is nothing to fill, no slot, or no memory.
  bool fill(worker& me, size_table const& sizes) {
    auto* const slot = to_fill_ == 0 ? nullptr : line_.slot_to_fill();
    if (slot == nullptr) return false;
    slot->count = 0;
    while (slot->count < batch::size && to_fill_ > 0 && add(*slot, sizes[turn_++], me)) --to_fill_;
    if (slot->count == 0) return false;
    line_.filled();
    return true;
  }

  bool empty(worker& me) {
    auto* const slot = to_empty_ == 0 ? nullptr : line_.slot_to_empty();
    if (slot == nullptr) return false;
    for (std::uint32_t i = 0; i < slot->count; ++i) {
      me.timed([&] { arm_.free(slot->blocks[i], slot->bytes[i], ordered_); });
    }
    to_empty_ -= slot->count;
    line_.emptied();
    return true;
  }

 private:
  bool add(batch& to, std::size_t bytes, worker& me) {
    auto* const block = arm_.allocate(bytes, ordered_);
    if (block == nullptr) {
      ++me.refused;
      return false;
    }
    *static_cast<char volatile*>(block) = 1;
    to.blocks[to.count] = block;
    to.bytes[to.count++] = bytes;
    return true;
  }

  arm& arm_;
  bool ordered_;
  ring& line_;
  std::uint64_t to_fill_;
  std::uint64_t to_empty_;
  std::uint64_t turn_ = 0;
};

/// Spins for a little while, then lets others run: there may be more threads than cores.
class patience {
 public:
  void wait() {
    if (++turns_ % 64 == 0) std::this_thread::yield();
  }

 private:
  unsigned turns_ = 0;
};

/// So many blocks through each ring.
rate pass(arm& arm, bool ordered, bool cross, int threads, std::uint64_t blocks,
          std::uint64_t seed) {
  std::vector<ring> rings(static_cast<std::size_t>(cross ? threads / 2 : threads));
  std::atomic<phase> const now{phase::measure};
  std::vector<std::unique_ptr<worker>> all;
  for (int i = 0; i < threads; ++i) all.push_back(std::make_unique<worker>(now));
  rate result;
  result.operations = blocks * rings.size();
  result.seconds = crew::shared().timed(threads, [&](int index) {
    auto& me = *all[static_cast<std::size_t>(index)];
    auto& line = rings[static_cast<std::size_t>(cross ? index / 2 : index)];
    bool const fills = !cross || index % 2 == 0;
    bool const empties = !cross || index % 2 == 1;
    station here{arm, ordered, line, fills ? blocks : 0, empties ? blocks : 0};
    size_table const sizes{seed + static_cast<std::uint64_t>(index)};
    patience idle;
    while (!here.done()) {
      // A thread that does both keeps its ring full, so that blocks live as long as with two.
      if (!here.fill(me, sizes) && !here.empty(me)) idle.wait();
    }
  });
  for (auto const& w : all) {
    result.latency.add(w->latency);
    result.refused += w->refused;
  }
  return result;
}

}  // namespace

rate through_ring(arm& arm, bool ordered, bool cross, int threads, double seconds,
                  std::uint64_t seed) {
  for (std::uint64_t blocks = batch::size * ring::size;;) {
    auto result = pass(arm, ordered, cross, threads, blocks, seed);
    if (result.seconds >= seconds) return result;
    // Not by more at once: a short pass tells little of a long one.
    auto const factor = std::clamp(1.25 * seconds / result.seconds, 2.0, 8.0);
    blocks = static_cast<std::uint64_t>(static_cast<double>(blocks) * factor);
  }
}

}  // namespace mooring::bench

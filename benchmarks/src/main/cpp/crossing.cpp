#include <algorithm>
#include <array>
#include <thread>
#include <vector>

#include "random.hpp"
#include "rate.hpp"

namespace mooring::bench {

namespace {

struct batch {
  static constexpr std::uint32_t most = 32;

  std::array<void*, most> blocks;
  std::array<std::size_t, most> bytes;
  std::uint32_t count = 0;
};

/// One writer, one reader; slots are filled and emptied in place.
class ring {
 public:
  batch* slot_to_fill() {
    return written_.load(rx) - read_.load(acq) < size ? &at(written_) : nullptr;
  }
  void filled() { written_.store(written_.load(rx) + 1, std::memory_order_release); }
  batch* slot_to_empty() { return read_.load(rx) < written_.load(acq) ? &at(read_) : nullptr; }
  void emptied() { read_.store(read_.load(rx) + 1, std::memory_order_release); }

 private:
  static constexpr std::uint64_t size = 4;
  static constexpr auto rx = std::memory_order_relaxed;
  static constexpr auto acq = std::memory_order_acquire;

  batch& at(std::atomic<std::uint64_t> const& index) { return batches_[index.load(rx) % size]; }

  alignas(128) std::atomic<std::uint64_t> written_{0};
  alignas(128) std::atomic<std::uint64_t> read_{0};
  alignas(128) std::array<batch, size> batches_;
};

class station {
 public:
  station(arm& arm, bool ordered, std::size_t batch, ring& line)
      : arm_{arm},
        ordered_{ordered},
        batch_{std::min<std::size_t>(batch, batch::most)},
        line_{line} {}

  /// False when there is no slot, or no memory.
  bool fill(worker& me, size_table const& sizes) {
    auto* const slot = line_.slot_to_fill();
    if (slot == nullptr) return false;
    slot->count = 0;
    while (slot->count < batch_ && !me.stopped() && add(*slot, sizes[turn_++], me)) {
    }
    if (slot->count == 0) return false;
    line_.filled();
    return true;
  }

  bool empty(worker& me) {
    auto* const slot = line_.slot_to_empty();
    if (slot == nullptr) return false;
    for (std::uint32_t i = 0; i < slot->count; ++i) {
      me.timed([&] { arm_.free(slot->blocks[i], slot->bytes[i], ordered_); });
      me.count_one();
    }
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
  std::size_t batch_;
  ring& line_;
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

}  // namespace

rate through_ring(arm& arm, bool ordered, crossing how, int threads, double seconds,
                  std::uint64_t seed) {
  std::vector<ring> rings(static_cast<std::size_t>(how.cross ? threads / 2 : threads));
  auto const work = [&](worker& me, int index) {
    auto& line = rings[static_cast<std::size_t>(how.cross ? index / 2 : index)];
    station here{arm, ordered, how.batch, line};
    size_table const sizes{seed + static_cast<std::uint64_t>(index)};
    bool const fills = !how.cross || index % 2 == 0;
    bool const empties = !how.cross || index % 2 == 1;
    patience idle;
    while (!me.stopped()) {
      bool const filled = fills && here.fill(me, sizes);
      // A thread that does both keeps its ring full, so that blocks live as long as with two.
      bool const emptied = empties && !filled && here.empty(me);
      if (!filled && !emptied) idle.wait();
    }
  };
  auto const result = measure(threads, seconds, work);
  std::atomic<phase> const over{phase::stop};
  worker janitor{over};
  for (auto& line : rings) {
    station last{arm, ordered, how.batch, line};
    while (last.empty(janitor)) {
    }
  }
  return result;
}

}  // namespace mooring::bench

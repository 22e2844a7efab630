// SPDX-License-Identifier: Apache-2.0

#include "mixed.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "random.hpp"

namespace mooring::bench {

namespace {

using clock = std::chrono::steady_clock;

struct held {
  void* block;
  std::size_t bytes;
};

/// One thread's share of the run.
struct actor {
  std::vector<held> live{};
  std::size_t live_bytes = 0;
  std::uint64_t operations = 0;
  std::uint64_t refused = 0;

  void free_one(arm& arm, split_mix& random) {
    auto& victim = live[random.next() % live.size()];
    arm.free(victim.block, victim.bytes, false);
    live_bytes -= victim.bytes;
    victim = live.back();
    live.pop_back();
    ++operations;
  }

  void allocate_one(arm& arm, std::size_t bytes) {
    auto* const block = arm.allocate(bytes, false);
    if (block == nullptr) {
      ++refused;
      return;
    }
    live.push_back({block, bytes});
    live_bytes += bytes;
    ++operations;
  }

  void run(arm& arm, mixed_options const& options, std::uint64_t index) {
    split_mix random{options.seed + index};
    auto const share = static_cast<std::uint64_t>(options.threads);
    auto const target = options.pool / 10 * 6 / share;
    auto const end = clock::now() + std::chrono::duration<double>(options.seconds);
    for (std::uint64_t turn = 1; operations < options.operations / share; ++turn) {
      auto const bytes = log_uniform(random, 1024, static_cast<double>(options.largest));
      while (!live.empty() && live_bytes + bytes > target) free_one(arm, random);
      allocate_one(arm, bytes);
      if (turn % 64 == 0 && clock::now() > end) break;
    }
  }
};

std::size_t usable_bytes(arm& arm, std::size_t most) {
  std::vector<void*> blocks;
  while (blocks.size() * mixed_result::probe_bytes < most) {
    auto* const block = arm.allocate(mixed_result::probe_bytes, false);
    if (block == nullptr) break;
    blocks.push_back(block);
  }
  for (auto* const block : blocks) arm.free(block, mixed_result::probe_bytes, false);
  return blocks.size() * mixed_result::probe_bytes;
}

}  // namespace

mixed_result mixed_run(arm& arm, mixed_options const& options) {
  std::vector<actor> actors(static_cast<std::size_t>(options.threads));
  std::vector<std::thread> threads;
  auto const begin = clock::now();
  for (std::size_t i = 0; i < actors.size(); ++i) {
    threads.emplace_back([&, i] { actors[i].run(arm, options, i); });
  }
  for (auto& t : threads) t.join();
  mixed_result result;
  result.seconds = std::chrono::duration<double>{clock::now() - begin}.count();
  for (auto const& a : actors) {
    result.operations += a.operations;
    result.refused += a.refused;
    result.live += a.live.size();
    result.requested += a.live_bytes;
    for (auto const& h : a.live) result.granted += arm.granted(h.bytes, false);
  }
  result.pool = arm.fragments();
  result.usable = usable_bytes(arm, options.pool);
  for (auto const& a : actors) {
    for (auto const& h : a.live) arm.free(h.block, h.bytes, false);
  }
  return result;
}

}  // namespace mooring::bench

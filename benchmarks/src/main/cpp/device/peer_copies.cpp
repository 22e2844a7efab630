// SPDX-License-Identifier: Apache-2.0

#include "peer_copies.hpp"

#include "kernels.hpp"

namespace mooring::bench {

namespace {

/// Longer than it takes to enqueue the messages of eight devices.
constexpr std::uint64_t gate_nanos = 1'000'000;

std::uint64_t seed_of(message const& m, std::uint64_t seed) {
  return seed + 2 * static_cast<std::uint64_t>(m.from) + (m.towards == side::right);
}

bool share_a_device(message const& a, message const& b) {
  return a.from == b.from || a.from == b.to || a.to == b.from || a.to == b.to;
}

}  // namespace

peer_copies::peer_copies(int devices, std::size_t most) : hub_{(use_device(0), stream{})} {
  for (int i = 0; i < devices; ++i) {
    use_device(i);
    outboxes_.push_back({device_memory{most}, device_memory{most}});
    inboxes_.push_back({device_memory{most}, device_memory{most}});
  }
  use_device(0);
  kernels::load();
}

sample peer_copies::run(schedule const& stages, std::size_t bytes, std::uint64_t seed) {
  prepare(stages, bytes, seed);
  auto const seconds = timed(stages, bytes);
  return {seconds, wrong(stages, bytes, seed)};
}

peer_copies::lane& peer_copies::lane_of(message const& m, std::size_t number) {
  auto const key = std::tuple{number, m.from, m.towards};
  auto found = lanes_.find(key);
  if (found == lanes_.end()) {
    use_device(m.from);
    found = lanes_.emplace(key, lane{}).first;
  }
  return found->second;
}

void peer_copies::prepare(schedule const& stages, std::size_t bytes, std::uint64_t seed) {
  for (std::size_t number = 0; number < stages.size(); ++number) {
    for (auto const& m : stages[number]) {
      auto& own = lane_of(m, number).sends;
      use_device(m.from);
      kernels::fill(outboxes_[static_cast<std::size_t>(m.from)].of(m.towards), bytes,
                    seed_of(m, seed), own);
      own.synchronize();
      use_device(m.to);
      auto* const arrives = inboxes_[static_cast<std::size_t>(m.to)].of(opposite(m.towards));
      check(cudaMemset(arrives, 0, bytes), "cudaMemset");
      check(cudaDeviceSynchronize(), "cudaMemset");
    }
  }
}

double peer_copies::timed(schedule const& stages, std::size_t bytes) {
  use_device(0);
  kernels::spin(gate_nanos, hub_);
  start_.record(hub_);
  for (std::size_t number = 0; number < stages.size(); ++number) {
    for (auto const& m : stages[number]) send(m, number, stages, bytes);
  }
  use_device(0);
  for (std::size_t number = 0; number < stages.size(); ++number) {
    for (auto const& m : stages[number]) hub_.await(lane_of(m, number).done);
  }
  stop_.record(hub_);
  stop_.synchronize();
  return stop_.seconds_since(start_);
}

void peer_copies::send(message const& m, std::size_t number, schedule const& stages,
                       std::size_t bytes) {
  auto& own = lane_of(m, number);
  use_device(m.from);
  own.sends.await(start_);
  if (number > 0) {
    for (auto const& before : stages[number - 1]) {
      if (share_a_device(m, before)) own.sends.await(lane_of(before, number - 1).done);
    }
  }
  auto* const leaves = outboxes_[static_cast<std::size_t>(m.from)].of(m.towards);
  auto* const arrives = inboxes_[static_cast<std::size_t>(m.to)].of(opposite(m.towards));
  check(cudaMemcpyPeerAsync(arrives, m.to, leaves, m.from, bytes, own.sends),
        "cudaMemcpyPeerAsync");
  own.done.record(own.sends);
}

std::uint64_t peer_copies::wrong(schedule const& stages, std::size_t bytes, std::uint64_t seed) {
  std::uint64_t wrong = 0;
  for (auto const& stage : stages) {
    for (auto const& m : stage) {
      use_device(m.to);
      wrong += wrong_on_device(inboxes_[static_cast<std::size_t>(m.to)].of(opposite(m.towards)),
                               bytes, seed_of(m, seed));
    }
  }
  use_device(0);
  return wrong;
}

}  // namespace mooring::bench

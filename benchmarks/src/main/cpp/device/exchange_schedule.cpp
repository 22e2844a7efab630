// SPDX-License-Identifier: Apache-2.0

#include "exchange_schedule.hpp"

#include <stdexcept>

namespace mooring::bench {

namespace {

schedule left_right(int devices, int edges) {
  stage right, left;
  for (int i = 0; i < edges; ++i) {
    int const next = (i + 1) % devices;
    right.push_back({i, next, side::right});
    left.push_back({next, i, side::left});
  }
  return {right, left};
}

/// Neighbouring edges never share a stage; the edge that closes a ring of an odd length has its
/// own.
schedule pairwise(int devices, int edges) {
  schedule stages(3);
  for (int i = 0; i < edges; ++i) {
    int const next = (i + 1) % devices;
    bool const closes_odd_ring = next == 0 && devices % 2 == 1;
    auto& now = stages[closes_odd_ring ? 2 : static_cast<std::size_t>(i % 2)];
    now.push_back({i, next, side::right});
    now.push_back({next, i, side::left});
  }
  return stages;
}

}  // namespace

schedule exchange_schedule(int devices, bool ring, exchange how) {
  if (devices < 2) return {};
  int const edges = ring ? devices : devices - 1;
  auto stages = how == exchange::pairwise ? pairwise(devices, edges) : left_right(devices, edges);
  if (how == exchange::at_once) {
    stages[0].insert(stages[0].end(), stages[1].begin(), stages[1].end());
    stages.pop_back();
  }
  std::erase_if(stages, [](stage const& s) { return s.empty(); });
  return stages;
}

exchange exchange_named(std::string const& name) {
  if (name == "left-right") return exchange::left_right;
  if (name == "pairwise") return exchange::pairwise;
  if (name == "at-once") return exchange::at_once;
  throw std::invalid_argument{"no exchange " + name};
}

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#include "node_copies.hpp"
#include "requests.hpp"

namespace mooring::bench {

namespace {

sample run(node_copies& n, std::istream& in) {
  auto const way = next_direction(in);
  auto const copies = next<int>(in);
  auto const seed = next<std::uint64_t>(in);
  std::vector<placement> where;
  while ((in >> std::ws).peek() != EOF) {
    auto const device = next<int>(in);
    where.push_back({device, next<int>(in)});
  }
  if (where.empty()) throw std::invalid_argument{"no device is named"};
  return n.run(where, way, copies, seed);
}

}  // namespace

void answer_numa(std::istream& in) {
  static node_copies* state = nullptr;
  auto const what = next<std::string>(in);
  if (what == "setup") {
    auto const bytes = next<std::size_t>(in);
    state = new node_copies{bytes, next<int>(in)};
    return print_ready();
  }
  if (what == "run") return print(run(existing(state), in));
  throw std::invalid_argument{"no request numa " + what};
}

}  // namespace mooring::bench

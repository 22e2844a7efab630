// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include "halo.hpp"
#include "peer_access.hpp"
#include "peer_copies.hpp"
#include "requests.hpp"

namespace mooring::bench {

namespace {

int device_count() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  return count;
}

void print_links() {
  for (auto const& link : peer_links(device_count())) {
    json_line{}
        .add("from", static_cast<std::uint64_t>(link.from))
        .add("to", static_cast<std::uint64_t>(link.to))
        .add("access", link.access)
        .add("atomics", link.atomics)
        .add("rank", static_cast<double>(link.rank))
        .print();
  }
  print_end();
}

/// Messages between any devices, all at the same time.
sample send(peer_copies& copies, std::istream& in) {
  auto const bytes = next<std::size_t>(in);
  auto const seed = next<std::uint64_t>(in);
  stage all;
  while ((in >> std::ws).peek() != EOF) {
    auto const from = next<int>(in);
    all.push_back({from, next<int>(in), side::right});
  }
  return copies.run({all}, bytes, seed);
}

sample run_exchange(peer_copies& copies, std::istream& in) {
  bool const ring = next<std::string>(in) == "ring";
  auto const how = exchange_named(next<std::string>(in));
  auto const stages = exchange_schedule(next<int>(in), ring, how);
  auto const bytes = next<std::size_t>(in);
  return copies.run(stages, bytes, next<std::uint64_t>(in));
}

halo* make_halo(std::istream& in) {
  halo_shape shape{};
  shape.devices = next<int>(in);
  shape.rows = next<std::size_t>(in);
  shape.width = next<std::size_t>(in);
  shape.steps = next<int>(in);
  return new halo{shape};
}

}  // namespace

void answer_p2p(std::istream& in) {
  static peer_copies* copies = nullptr;
  static halo* field = nullptr;
  auto const what = next<std::string>(in);
  if (what == "links") return print_links();
  if (what == "setup") {
    auto const devices = next<int>(in);
    copies = new peer_copies{devices, next<std::size_t>(in)};
    return print_ready();
  }
  if (what == "access") {
    set_peer_access(device_count(), next<std::string>(in) == "on");
    return print_ready();
  }
  if (what == "send") return print(send(existing(copies), in));
  if (what == "exchange") return print(run_exchange(existing(copies), in));
  if (what == "halo-setup") {
    field = make_halo(in);
    return print_ready();
  }
  if (what == "halo") {
    auto const mode = halo_mode_named(next<std::string>(in));
    return print(existing(field).run(mode, next<std::uint64_t>(in)));
  }
  throw std::invalid_argument{"no request p2p " + what};
}

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#include "overlap.hpp"
#include "requests.hpp"

namespace mooring::bench {

namespace {

compute_load next_load(std::istream& in) {
  auto const kind = next<std::string>(in);
  if (kind != "work" && kind != "delay") throw std::invalid_argument{"no load " + kind};
  return {kind == "delay", next<std::uint64_t>(in)};
}

sample run(overlap& o, std::istream& in) {
  auto const method = next<std::string>(in);
  auto const load = next_load(in);
  auto const threads = next<int>(in);
  auto const seed = next<std::uint64_t>(in);
  if (method == "pageable") return o.pageable(load, seed);
  if (method == "same-thread") return o.same_thread(load, seed);
  if (method == "staged") return o.staged(load, threads, seed);
  throw std::invalid_argument{"no method " + method};
}

}  // namespace

void answer_overlap(std::istream& in) {
  static overlap* state = nullptr;
  auto const what = next<std::string>(in);
  if (what == "setup") {
    auto const device = next<int>(in);
    auto const bytes = next<std::size_t>(in);
    auto const chunk = next<std::size_t>(in);
    state = new overlap{device, bytes, chunk, next<int>(in)};
    return print_ready();
  }
  if (what == "stage") return print_seconds(existing(state).stage_alone(next<int>(in)));
  if (what == "dma") return print_seconds(existing(state).dma_alone());
  if (what == "compute") return print_seconds(existing(state).compute_alone(next_load(in)));
  if (what == "run") return print(run(existing(state), in));
  throw std::invalid_argument{"no request overlap " + what};
}

}  // namespace mooring::bench

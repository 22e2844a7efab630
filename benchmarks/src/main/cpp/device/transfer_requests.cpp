// SPDX-License-Identifier: Apache-2.0

#include "requests.hpp"
#include "transfers.hpp"

namespace mooring::bench {

void answer_transfer(std::istream& in) {
  static transfers* state = nullptr;
  auto const what = next<std::string>(in);
  if (what == "setup") {
    auto const device = next<int>(in);
    auto const most = next<std::size_t>(in);
    state = new transfers{device, most, next<int>(in)};
    return print_ready();
  }
  if (what == "open") {
    json_line{}.add("remark", existing(state).open(next<std::string>(in))).print();
    return;
  }
  if (what == "copy") {
    auto const kind = next<std::string>(in);
    auto const way = next_direction(in);
    auto const bytes = next<std::size_t>(in);
    return print(existing(state).copy(kind, way, bytes, next<std::uint64_t>(in)));
  }
  if (what == "plain") {
    auto const way = next_direction(in);
    auto const bytes = next<std::size_t>(in);
    auto const count = next<int>(in);
    return print(existing(state).plain_loop(way, bytes, count, next<std::uint64_t>(in)));
  }
  throw std::invalid_argument{"no request transfer " + what};
}

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace mooring::bench {

/// To which neighbour data goes. It arrives on the other side of the receiver.
enum class side : int { left, right };

inline side opposite(side s) { return s == side::left ? side::right : side::left; }

/// One message between neighbours.
struct message {
  int from;
  int to;
  side towards;

  bool operator==(message const&) const = default;
};

/// Messages that travel at the same time. A stage of one device starts when its own messages of the
/// stage before have left and arrived.
using stage = std::vector<message>;
using schedule = std::vector<stage>;

/// How neighbours in a row talk to each other (after P. Micikevicius, "Multi-GPU Programming", GTC
/// 2012): all to the right and then all to the left; in pairs, each both ways, pairs of two kinds
/// in turn; or everything at once.
enum class exchange { left_right, pairwise, at_once };

/**
 * Every message that `devices` devices in a line, or in a ring, send their neighbours. One device
 * has none; in a ring of two each is the other's neighbour on both sides.
 */
schedule exchange_schedule(int devices, bool ring, exchange how);

/// left-right, pairwise or at-once. @throws std::invalid_argument for others
exchange exchange_named(std::string const& name);

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

namespace mooring::bench {

/// What one device may do with the memory of another.
struct peer_link {
  int from;
  int to;
  bool access;   ///< loads, stores and copies without the host
  bool atomics;  ///< native atomic operations over the link
  int rank;      ///< the driver's relative performance of the link: lower is better
};

/// Every ordered pair of different devices.
std::vector<peer_link> peer_links(int devices);

/// Switches access on between all pairs that can have it, or off between all. Leaves the current
/// device changed. @throws std::runtime_error
void set_peer_access(int devices, bool on);

}  // namespace mooring::bench

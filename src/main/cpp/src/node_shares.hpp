// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace mooring {

/**
 * Shares memory out to NUMA nodes in ranges: each range goes to the node that has the fewest bytes.
 * A range spans several extents, so a buffer rarely lies on two nodes.
 */
class node_shares {
 public:
  /// @param nodes at least one
  /// @param total bytes to share out
  node_shares(std::vector<int> const& nodes, std::size_t total)
      : nodes_{nodes}, range_{range_of(total / nodes.size())} {}

  /// Counts bytes that a node has already; negative nodes are ignored.
  void has(int node, std::size_t bytes) { bytes_[node] += bytes; }

  /// The node of the next `bytes`, which follow those before.
  int next(std::size_t bytes) {
    // Moves on once less than half of the request fits the share.
    if (bytes > 2 * left_) {
      node_ = *std::min_element(nodes_.begin(), nodes_.end(),
                                [&](int a, int b) { return bytes_[a] < bytes_[b]; });
      left_ = range_;
    }
    bytes_[node_] += bytes;
    left_ -= std::min(left_, bytes);
    return node_;
  }

 private:
  static constexpr std::size_t most_range = 1UL << 30;

  /// The length of a range: a share is divided into the fewest equal ranges within `most_range`.
  static std::size_t range_of(std::size_t share) {
    return share / std::max(1UL, (share + most_range - 1) / most_range);
  }

  std::vector<int> const& nodes_;
  std::size_t range_;
  std::size_t left_ = 0;
  int node_ = -1;
  std::map<int, std::size_t> bytes_;
};

}  // namespace mooring

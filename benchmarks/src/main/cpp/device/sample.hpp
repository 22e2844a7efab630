// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace mooring::bench {

/// One timed piece of work, and what verifying it found.
struct sample {
  double seconds;
  std::uint64_t wrong_words;  ///< 64-bit words that differ from what they have to be
};

enum class direction { h2d, d2h, both };

inline bool goes_up(direction d) { return d != direction::d2h; }
inline bool goes_down(direction d) { return d != direction::h2d; }

}  // namespace mooring::bench

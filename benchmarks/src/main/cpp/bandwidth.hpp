// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "arm.hpp"

namespace mooring::bench {

/// One timed copy.
struct copy_time {
  std::string direction;  ///< H2D or D2H
  bool from_arm;          ///< else a block of cudaHostAlloc
  double seconds;
};

/// Copies between the device and a block of the arm, and one of cudaHostAlloc, in turns; compares
/// what comes back. @throws std::runtime_error when a copy fails or changes a byte
std::vector<copy_time> copy_both(arm& arm, std::size_t bytes, int repetitions);

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "mooring/pool_options.hpp"
#include "pool_filler.hpp"

namespace mooring {

/// Options as the pool uses them, with the greatest size rounded.
/// @throws std::invalid_argument when no pool can have them
pool_options checked(pool_options options);

/// Pages that only libcudf gets.
std::uint64_t reserve_pages(pool_options const& options);

/// Extents and threads by which the pool is filled.
filler_options filler_options_of(pool_options const& options);

}  // namespace mooring

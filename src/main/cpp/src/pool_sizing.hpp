// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "mooring/pool_options.hpp"
#include "pool_filler.hpp"

namespace mooring {

/// Options as the pool uses them, with the greatest size rounded.
/// @throws std::invalid_argument when no pool can be made with them
pool_options checked(pool_options options);

/// Pages that only libcudf gets.
std::uint64_t reserve_pages(pool_options const& options);

/// The extents and threads that fill the pool.
filler_options filler_options_of(pool_options const& options);

}  // namespace mooring

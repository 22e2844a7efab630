// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "arm.hpp"
#include "workers.hpp"

namespace mooring::bench {

/// Each thread allocates a block, writes to it and frees it. An operation is such a pair.
rate own_thread(arm& arm, bool ordered, int threads, double seconds, std::uint64_t seed);

/**
 * Blocks are freed some time after they were allocated, as read-ahead does it: 32 are filled into a
 * batch (the buffers of one unit of reading), and up to 4 batches wait in a ring with one writer and
 * one reader. With `cross` half of the threads allocate, the other half frees; else each thread
 * works off a ring of its own.
 *
 * The work is fixed: as many blocks for each ring, timed from the moment at which all threads begin
 * until the last block is free. It is done again with more blocks until it takes `seconds`; that
 * pass is the result. An operation is one block that was allocated and freed; latencies are those
 * of frees.
 */
rate through_ring(arm& arm, bool ordered, bool cross, int threads, double seconds,
                  std::uint64_t seed);

}  // namespace mooring::bench

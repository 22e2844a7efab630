#pragma once

#include "arm.hpp"
#include "workers.hpp"

namespace mooring::bench {

/// Each thread allocates a block, writes to it and frees it. An operation is such a pair.
rate own_thread(arm& arm, bool ordered, int threads, double seconds, std::uint64_t seed);

/// What goes through rings, and how. With `cross` half of the threads allocate, the other half
/// frees; else each thread works off a ring of its own.
struct crossing {
  bool cross;
  std::size_t batch;  ///< blocks that are handed over together, up to 32
};

/**
 * Blocks are freed some time after they were allocated, as read-ahead does it: some are filled into
 * a batch (the buffers of one unit of reading), and up to 4 batches wait in a ring with one writer
 * and one reader. An operation is one block that was allocated and freed; what is timed is the free
 * alone.
 */
rate through_ring(arm& arm, bool ordered, crossing how, int threads, double seconds,
                  std::uint64_t seed);

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "handles.hpp"
#include "host_block.hpp"
#include "sample.hpp"
#include "staging.hpp"

namespace mooring::bench {

/// What the device does with a chunk: so many rounds of the kernel `work`, or a delay.
struct compute_load {
  bool delay;
  std::uint64_t amount;  ///< rounds, or nanoseconds
};

/**
 * Pageable data that goes to the device chunk by chunk and is worked on there, in several ways. All
 * figures are seconds of the wall clock for all chunks. One caller at a time.
 */
class overlap {
 public:
  /// @param bytes a multiple of `chunk`; as much pageable memory and device memory is taken
  overlap(int device, std::size_t bytes, std::size_t chunk, int threads);

  /// The stages alone: copying into pinned memory with so many threads, copying from there to the
  /// device, and computing.
  double stage_alone(int staging_threads);
  double dma_alone();
  double compute_alone(compute_load load);

  /// One thread: a copy from pageable memory, then the computation, chunk after chunk.
  sample pageable(compute_load load, std::uint64_t seed);

  /// One thread: into pinned memory, to the device, then the computation, chunk after chunk.
  sample same_thread(compute_load load, std::uint64_t seed);

  /// Other threads copy into a ring of pinned chunks while earlier chunks travel and are worked on.
  sample staged(compute_load load, int staging_threads, std::uint64_t seed);

 private:
  std::size_t chunks() const { return bytes_ / chunk_; }
  std::byte* source(std::size_t chunk) const;
  std::byte* device(std::size_t chunk) const { return data_.get() + chunk * chunk_; }
  std::byte* slot(std::size_t number) const;
  staging::steps steps(bool with_copies);
  void prepare(std::uint64_t seed);
  void send(std::size_t chunk, std::byte* from);
  void compute(std::size_t chunk, compute_load load, cudaStream_t on);
  void feed(staging& from, compute_load load);
  sample finish(double seconds, compute_load load, std::uint64_t seed);

  int device_number_;
  std::size_t bytes_;
  std::size_t chunk_;
  int threads_;
  std::size_t slots_;
  std::unique_ptr<host_block> pageable_;
  std::unique_ptr<host_block> ring_;
  device_memory data_;
  stream copies_;
  stream computes_;
  std::vector<event> slot_sent_;
};

}  // namespace mooring::bench

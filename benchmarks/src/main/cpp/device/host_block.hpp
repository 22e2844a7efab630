// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mooring::bench {

/// How host memory is made.
struct host_options {
  std::string kind;    ///< pageable, cudaHostAlloc, write-combined, registered or mooring
  std::size_t bytes;   ///< a multiple of 4 KiB
  int numa_node = -1;  ///< of `registered`; negative: any
  int threads = 1;     ///< that touch it
};

/// Host memory of one kind, already touched. One copy serves one span.
struct host_block {
  std::vector<std::span<std::byte>> spans;
  bool slow_to_read = false;  ///< write-combined: the host reads it uncached
  std::string remark;         ///< what a reader of its figures has to know; may be empty
  std::function<void()> release;

  ~host_block() {
    if (release) release();
  }
};

/// @throws std::runtime_error when there is no such memory, std::invalid_argument for other kinds
std::unique_ptr<host_block> make_host_block(host_options const& options);

/// Calls `use(span, offset)` for the first `bytes`.
void for_each_span(host_block const& block, std::size_t bytes,
                      std::function<void(std::span<std::byte>, std::size_t)> const& use);

/// Write the pattern to the block, and count its wrong words, as for a plain array.
void fill_pattern(host_block const& block, std::size_t bytes, std::uint64_t seed, int threads);
std::uint64_t count_wrong(host_block const& block, std::size_t bytes, std::uint64_t seed,
                          int threads);

/// Overwrites it, so that what a copy leaves out shows.
void clear(host_block const& block, std::size_t bytes, int threads);

/// As leave_caches() of a plain array.
void leave_caches(host_block const& block, std::size_t bytes, int threads);

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>

namespace mooring::bench {

/// Pages of this process alone, on 2 MiB boundaries, huge where the system gives such. Not pinned.
class mapping {
 public:
  /// @param node that all pages must come from; negative: any
  /// @throws std::runtime_error when the system refuses the memory or the node
  mapping(std::size_t bytes, int node, int threads);
  ~mapping();
  mapping(mapping const&) = delete;
  mapping& operator=(mapping const&) = delete;

  std::byte* get() const { return base_; }

  /// Bytes of it that lie on huge pages; by /proc/self/smaps.
  std::size_t huge_bytes() const;

 private:
  void* raw_;
  std::size_t raw_bytes_;
  std::byte* base_;
};

/// The figure `AnonHugePages` of the mapping that holds an address, in bytes, out of the text of a
/// smaps file; 0 when it is not there.
std::size_t huge_bytes_in(std::istream& smaps, std::size_t address);

}  // namespace mooring::bench

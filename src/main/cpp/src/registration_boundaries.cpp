// SPDX-License-Identifier: Apache-2.0

#include "registration_boundaries.hpp"

#include <algorithm>
#include <bit>

#include "slab.hpp"

namespace mooring {

registration_boundaries::registration_boundaries(std::byte* base, std::size_t bytes)
    : base_{base}, bytes_{bytes}, marks_(bytes / slab::huge_page / bits + 1) {}

void registration_boundaries::add(std::size_t offset) {
  auto const page = offset / slab::huge_page;
  marks_[page / bits].fetch_or(std::uint64_t{1} << page % bits, std::memory_order_relaxed);
}

std::size_t registration_boundaries::max_copy_bytes(void const* address, std::size_t bytes) const {
  auto const offset = static_cast<std::size_t>(static_cast<std::byte const*>(address) - base_);
  if (offset >= bytes_ || bytes == 0) return bytes;
  auto const last = std::min(offset + bytes, bytes_) - 1;
  auto const end = last / slab::huge_page + 1;
  auto const boundary = first_of(offset / slab::huge_page + 1, end);
  return boundary == end ? bytes : boundary * slab::huge_page - offset;
}

std::size_t registration_boundaries::first_of(std::size_t from, std::size_t to) const {
  for (auto page = from; page < to; page = (page / bits + 1) * bits) {
    auto const marks = marks_[page / bits].load(std::memory_order_relaxed) >> page % bits;
    if (marks != 0) return std::min(page + static_cast<std::size_t>(std::countr_zero(marks)), to);
  }
  return to;
}

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

#include "slab.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace mooring {

namespace {

constexpr int prefer_node = 1;  // MPOL_PREFERRED: another node's memory is better than none

}  // namespace

slab::slab(std::size_t bytes) : bytes_{bytes} {
  // PROT_NONE: strict overcommit (vm.overcommit_memory=2) would count a writable range in full.
  auto* const raw = mmap(nullptr, bytes + huge_page, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) {
    base_ = nullptr;
    bytes_ = 0;
    return;
  }
  auto const address = reinterpret_cast<std::uintptr_t>(raw);
  base_ = reinterpret_cast<std::byte*>((address + huge_page - 1) & ~(huge_page - 1));
  madvise(base_, bytes, MADV_HUGEPAGE);
  // Spark forks for Python and shells: a child must not take pinned pages along.
  madvise(base_, bytes, MADV_DONTFORK);
}

bool slab::open(std::size_t offset, std::size_t bytes) const noexcept {
  return mprotect(base_ + offset, bytes, PROT_READ | PROT_WRITE) == 0;
}

void slab::bind(std::size_t offset, std::size_t bytes, int node) const noexcept {
  if (node < 0 || node >= 64) return;
  std::uint64_t const mask = 1UL << node;
  // The kernel reads one bit less than it is told. A refusal costs bandwidth, never correctness.
  syscall(SYS_mbind, base_ + offset, bytes, prefer_node, &mask, 65UL, 0U);
}

}  // namespace mooring

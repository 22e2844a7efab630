// SPDX-License-Identifier: Apache-2.0

#include "mapping.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "parallel.hpp"

namespace mooring::bench {

namespace {

constexpr std::size_t huge_page = 2UL << 20;
constexpr std::size_t small_page = 4096;
constexpr int only_this_node = 2;  // MPOL_BIND: memory of another node would be another measurement

void bind_to(void* base, std::size_t bytes, int node) {
  if (node < 0) return;
  std::uint64_t mask[16] = {};
  if (node >= 1024) throw std::runtime_error{"no NUMA node " + std::to_string(node)};
  mask[node / 64] = 1UL << (node % 64);
  // The kernel reads one bit less than it is told.
  if (syscall(SYS_mbind, base, bytes, only_this_node, mask, 1025UL, 0U) == 0) return;
  throw std::runtime_error{"mbind to NUMA node " + std::to_string(node) + ": " +
                           std::strerror(errno)};
}

}  // namespace

mapping::mapping(std::size_t bytes, int node, int threads) : raw_bytes_{bytes + huge_page} {
  raw_ = mmap(nullptr, raw_bytes_, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw_ == MAP_FAILED) throw std::runtime_error{std::string{"mmap: "} + std::strerror(errno)};
  auto const address = reinterpret_cast<std::uintptr_t>(raw_);
  base_ = reinterpret_cast<std::byte*>((address + huge_page - 1) & ~(huge_page - 1));
  // Without huge pages the kernel gives small ones, which serve as well.
  madvise(base_, bytes, MADV_HUGEPAGE);
  try {
    bind_to(base_, bytes, node);
  } catch (...) {
    munmap(raw_, raw_bytes_);
    throw;
  }
  in_parallel(threads, bytes / small_page, [this](std::size_t begin, std::size_t end) {
    for (auto page = begin; page < end; ++page) base_[page * small_page] = std::byte{1};
  });
}

mapping::~mapping() { munmap(raw_, raw_bytes_); }

std::size_t mapping::huge_bytes() const {
  std::ifstream smaps{"/proc/self/smaps"};
  return huge_bytes_in(smaps, reinterpret_cast<std::uintptr_t>(base_));
}

std::size_t huge_bytes_in(std::istream& smaps, std::size_t address) {
  bool inside = false;
  for (std::string line; std::getline(smaps, line);) {
    std::size_t from = 0, to = 0, kilobytes = 0;
    if (std::sscanf(line.c_str(), "%zx-%zx ", &from, &to) == 2) {
      inside = from <= address && address < to;
    } else if (inside && std::sscanf(line.c_str(), "AnonHugePages: %zu kB", &kilobytes) == 1) {
      return kilobytes << 10;
    }
  }
  return 0;
}

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#include "host_block.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "arm.hpp"
#include "cuda_check.hpp"
#include "mapping.hpp"
#include "parallel.hpp"
#include "pattern.hpp"
#include "registration_boundaries.hpp"

namespace mooring::bench {

namespace {

using block_pointer = std::unique_ptr<host_block>;

std::string pages_remark(mapping const& pages, std::size_t bytes) {
  auto const huge = pages.huge_bytes();
  if (huge >= bytes) return {};
  return "of " + std::to_string(bytes >> 20) + " MiB only " + std::to_string(huge >> 20) +
         " MiB lie on huge pages";
}

block_pointer mapped(host_options const& o, bool pinned) {
  auto const pages = std::make_shared<mapping>(o.bytes, o.numa_node, o.threads);
  auto block = std::make_unique<host_block>();
  block->spans = {{pages->get(), o.bytes}};
  block->remark = pages_remark(*pages, o.bytes);
  if (pinned) {
    check(cudaHostRegister(pages->get(), o.bytes, cudaHostRegisterPortable), "cudaHostRegister");
  }
  block->release = [pages, pinned] {
    if (pinned) cudaHostUnregister(pages->get());
  };
  return block;
}

block_pointer host_alloc(host_options const& o, unsigned flags) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, o.bytes, flags), "cudaHostAlloc");
  auto block = std::make_unique<host_block>();
  block->spans = {{static_cast<std::byte*>(memory), o.bytes}};
  block->release = [memory] { cudaFreeHost(memory); };
  block->slow_to_read = (flags & cudaHostAllocWriteCombined) != 0;
  return block;
}

/// A pool of its own, never destroyed as pools are, so that one is enough for a process.
arm& pool_for(host_options const& o) {
  // Its first chunks are small, and a buffer had better be one span.
  constexpr std::size_t slack = 1UL << 30;
  auto& pool = make_mooring_arm({.name = "mooring",
                                 .pool = o.bytes + slack,
                                 .threads = o.threads,
                                 .peers = {},
                                 .libcudf = {}});
  pool.await();
  return pool;
}

block_pointer pooled(host_options const& o) {
  // What the pool registers at once, which is then the length of a copy.
  constexpr std::size_t usual = 128UL << 20;
  auto& pool = pool_for(o);
  auto block = std::make_unique<host_block>();
  for (std::size_t at = 0; at < o.bytes; at += usual) {
    auto const bytes = std::min(usual, o.bytes - at);
    auto* const memory = static_cast<std::byte*>(pool.allocate(bytes, false));
    if (memory == nullptr) throw std::runtime_error{"the pool has no buffer left"};
    for_each_part(pool, memory, bytes, [&](std::size_t from, std::size_t part) {
      block->spans.emplace_back(memory + from, part);
    });
  }
  return block;
}

}  // namespace

block_pointer make_host_block(host_options const& o) {
  if (o.kind == "pageable") return mapped(o, false);
  if (o.kind == "registered") return mapped(o, true);
  if (o.kind == "cudaHostAlloc") return host_alloc(o, cudaHostAllocPortable);
  if (o.kind == "write-combined") {
    return host_alloc(o, cudaHostAllocPortable | cudaHostAllocWriteCombined);
  }
  if (o.kind == "mooring") return pooled(o);
  throw std::invalid_argument{"no kind of host memory " + o.kind};
}

void for_each_span(host_block const& block, std::size_t bytes,
                      std::function<void(std::span<std::byte>, std::size_t)> const& use) {
  std::size_t at = 0;
  for (auto const& span : block.spans) {
    if (at == bytes) return;
    auto const part = std::min(span.size(), bytes - at);
    use(span.first(part), at);
    at += part;
  }
  if (at != bytes) throw std::invalid_argument{"the block is shorter than the copy"};
}

void fill_pattern(host_block const& block, std::size_t bytes, std::uint64_t seed, int threads) {
  for_each_span(block, bytes, [&](std::span<std::byte> part, std::size_t at) {
    fill_pattern(part.data(), part.size(), seed, at / sizeof(std::uint64_t), threads);
  });
}

std::uint64_t count_wrong(host_block const& block, std::size_t bytes, std::uint64_t seed,
                          int threads) {
  std::uint64_t wrong = 0;
  for_each_span(block, bytes, [&](std::span<std::byte> part, std::size_t at) {
    wrong += count_wrong(part.data(), part.size(), seed, at / sizeof(std::uint64_t), threads);
  });
  return wrong;
}

void clear(host_block const& block, std::size_t bytes, int threads) {
  for_each_span(block, bytes, [&](std::span<std::byte> part, std::size_t) {
    in_parallel(threads, part.size(), [&](std::size_t begin, std::size_t end) {
      std::memset(part.data() + begin, 0, end - begin);
    });
  });
}

void leave_caches(host_block const& block, std::size_t bytes, int threads) {
  for_each_span(block, bytes, [&](std::span<std::byte> part, std::size_t) {
    leave_caches(part.data(), part.size(), threads);
  });
}

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <cstdlib>

#include "arm.hpp"
#include "cuda_check.hpp"

namespace mooring::bench {

namespace {

constexpr std::size_t small_page = 4096;

void touch(void* block, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += small_page) {
    static_cast<std::byte volatile*>(block)[at] = std::byte{0};
  }
}

void* must_malloc(std::size_t bytes) {
  auto* const block = std::malloc(bytes);
  if (block == nullptr) throw std::runtime_error{"malloc: out of memory"};
  return block;
}

/// One driver call for each block; `pool` bytes at the start show what as large a pool costs.
class host_alloc_arm final : public arm {
 public:
  explicit host_alloc_arm(std::size_t pool) {
    if (pool == 0) return;
    void* whole = nullptr;
    check(cudaHostAlloc(&whole, pool, cudaHostAllocPortable), "cudaHostAlloc");
  }

  void* allocate(std::size_t bytes, bool) noexcept override {
    void* block = nullptr;
    if (cudaHostAlloc(&block, bytes, cudaHostAllocPortable) == cudaSuccess) return block;
    cudaGetLastError();
    return nullptr;
  }

  void free(void* block, std::size_t, bool) noexcept override { cudaFreeHost(block); }
};

/// The C library's allocator, whose memory is pageable.
class malloc_arm final : public arm {
 public:
  void* allocate(std::size_t bytes, bool) noexcept override { return std::malloc(bytes); }
  void free(void* block, std::size_t, bool) noexcept override { std::free(block); }
  bool pinned() const override { return false; }
};

/// Only for start-up: fresh memory, touched by no one, registered in one call.
class registered_arm final : public arm {
 public:
  explicit registered_arm(std::size_t pool) : whole_{must_malloc(pool)} {
    check(cudaHostRegister(whole_, pool, cudaHostRegisterPortable), "cudaHostRegister");
  }
  void* allocate(std::size_t, bool) noexcept override { return whole_; }
  void free(void*, std::size_t, bool) noexcept override {}

 private:
  void* whole_;
};

}  // namespace

arm& make_host_alloc_arm(arm_options const& options) { return *new host_alloc_arm{options.pool}; }

arm& make_malloc_arm(arm_options const& options) {
  if (options.pool > 0) touch(must_malloc(options.pool), options.pool);
  return *new malloc_arm;
}

arm& make_registered_arm(arm_options const& options) { return *new registered_arm{options.pool}; }

}  // namespace mooring::bench

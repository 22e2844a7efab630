// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cuda/memory_resource>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "pinned_memory_resource.hpp"

/// How often, and for which stream, the resource has waited; the linker puts it in front.
static std::vector<cudaStream_t> synchronized;
extern "C" cudaError_t __real_cudaStreamSynchronize(cudaStream_t stream);
extern "C" cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t stream) {
  synchronized.push_back(stream);
  return __real_cudaStreamSynchronize(stream);
}

// The contract of cuda::mr that RMM tests each of its resources by, for the process's pool as
// libcudf's pinned memory resource. The pool is over pageable memory, and no call reaches CUDA but
// those that a machine without a GPU refuses.
namespace mooring {

namespace {

using pinned_ref = cuda::mr::resource_ref<cuda::mr::host_accessible, cuda::mr::device_accessible>;

constexpr std::size_t pool_bytes = 64UL << 20;
constexpr std::size_t max_align = 256;

cuda::stream_ref default_stream() { return cuda::stream_ref{cudaStream_t{cudaStreamPerThread}}; }

bool is_aligned(void const* block, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
}

class MemoryResource : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    start_process_pool({.size = pool_bytes, .max_size = pool_bytes});
    ASSERT_TRUE(process_pool()->await_filled(std::chrono::seconds{60}));
  }

  void* allocate(std::size_t bytes, std::size_t alignment = max_align) {
    return ref.allocate(default_stream(), bytes, alignment);
  }
  void deallocate(void* block, std::size_t bytes, std::size_t alignment = max_align) {
    ref.deallocate(default_stream(), block, bytes, alignment);
  }

  pinned_memory_resource resource;
  pinned_ref ref{resource};
};

struct allocation {
  void* block;
  std::size_t bytes;
  std::byte pattern;
};

void fill(allocation const& a) { std::memset(a.block, static_cast<int>(a.pattern), a.bytes); }

bool is_intact(allocation const& a) {
  auto const* const bytes = static_cast<std::byte const*>(a.block);
  for (std::size_t i = 0; i < a.bytes; ++i) {
    if (bytes[i] != a.pattern) return false;
  }
  return true;
}

/// Allocates and frees at random; false when the bytes of a block have changed while it was held.
bool mix(pinned_ref ref, unsigned seed) {
  std::mt19937 random{seed};
  std::uniform_int_distribution<std::size_t> sizes{1, 128UL << 10};
  std::vector<allocation> held;
  bool intact = true;
  auto const free_one = [&](std::size_t at) {
    intact = intact && is_intact(held[at]);
    ref.deallocate(default_stream(), held[at].block, held[at].bytes, max_align);
    held[at] = held.back();
    held.pop_back();
  };
  for (int i = 0; i < 2000; ++i) {
    if (held.size() > 50 || (!held.empty() && random() % 3 == 0)) {
      free_one(random() % held.size());
      continue;
    }
    auto const bytes = sizes(random);
    auto* const block = ref.allocate(default_stream(), bytes, max_align);
    held.push_back({block, bytes, static_cast<std::byte>(random())});
    fill(held.back());
  }
  while (!held.empty()) free_one(held.size() - 1);
  return intact;
}

}  // namespace

static_assert(cuda::mr::resource<pinned_memory_resource>);
static_assert(cuda::mr::synchronous_resource<pinned_memory_resource>);
static_assert(cuda::has_property<pinned_memory_resource, cuda::mr::host_accessible>);
static_assert(cuda::has_property<pinned_memory_resource, cuda::mr::device_accessible>);
static_assert(std::is_copy_constructible_v<pinned_memory_resource>);

TEST_F(MemoryResource, EverySizeIsAllocatedAlignedAndWritable) {
  for (auto const bytes :
       {std::size_t{1}, 7UL, 256UL, 4UL << 10, 64UL << 10, 1UL << 20, 9UL << 20}) {
    auto const a = allocation{allocate(bytes), bytes, std::byte{0x5a}};
    ASSERT_NE(a.block, nullptr) << bytes;
    EXPECT_TRUE(is_aligned(a.block, max_align)) << bytes;
    fill(a);
    EXPECT_TRUE(is_intact(a)) << bytes;
    deallocate(a.block, bytes);
  }
}

TEST_F(MemoryResource, EveryPowerOfTwoUpToAPageIsKeptAsAlignment) {
  for (std::size_t alignment = 1; alignment <= 64UL << 10; alignment *= 2) {
    auto* const block = allocate(100, alignment);
    EXPECT_TRUE(is_aligned(block, alignment)) << alignment;
    deallocate(block, 100, alignment);
  }
}

TEST_F(MemoryResource, ZeroBytesAreGivenBackAsTheyCame) {
  auto* const block = allocate(0);
  EXPECT_NO_THROW(deallocate(block, 0));
  EXPECT_NO_THROW(deallocate(nullptr, 0));
}

TEST_F(MemoryResource, BlocksThatAreHeldDoNotOverlap) {
  std::vector<allocation> held;
  for (unsigned i = 0; i < 200; ++i) {
    held.push_back({allocate(1000 + i), 1000 + i, static_cast<std::byte>(i)});
    fill(held.back());
  }
  for (auto const& a : held) EXPECT_TRUE(is_intact(a));
  for (auto const& a : held) deallocate(a.block, a.bytes);
}

TEST_F(MemoryResource, SynchronousAllocationsAreAlignedAndWritable) {
  auto const a = allocation{ref.allocate_sync(5000, max_align), 5000, std::byte{1}};
  EXPECT_TRUE(is_aligned(a.block, max_align));
  fill(a);
  EXPECT_TRUE(is_intact(a));
  ref.deallocate_sync(a.block, a.bytes, max_align);
}

// Its caller writes without having synchronised, where the block's last holder may have left a copy
// of it in flight.
TEST_F(MemoryResource, SynchronousAllocationsWaitForTheStreamThatTheyAreOf) {
  synchronized.clear();
  ref.deallocate_sync(ref.allocate_sync(1000, max_align), 1000, max_align);
  EXPECT_EQ(synchronized, std::vector<cudaStream_t>{cudaStreamPerThread});
  synchronized.clear();
  deallocate(allocate(1000), 1000);
  EXPECT_TRUE(synchronized.empty()) << "libcudf synchronises by itself";
}

TEST_F(MemoryResource, AFreeThatIsRefusedIsALineOnStandardError) {
  auto* const block = static_cast<std::byte*>(allocate(1000));
  ::testing::internal::CaptureStderr();
  deallocate(block + 64, 936);
  auto const line = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(line.find("Mooring: libcudf freed 0x"), 0) << line;
  EXPECT_NE(line.find("which is not a block in use of the pinned pool\n"), std::string::npos);
  ::testing::internal::CaptureStderr();
  deallocate(block, 1000);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(MemoryResource, CopiesAreEqualAndFreeWhatTheOtherAllocated) {
  pinned_memory_resource copy{resource};
  EXPECT_TRUE(copy == resource);
  EXPECT_TRUE(pinned_ref{copy} == ref);
  auto* const block = allocate(1000);
  pinned_ref{copy}.deallocate(default_stream(), block, 1000, max_align);
  EXPECT_EQ((*process_pool()).snapshot()[pool_stat::bytes_in_use], 0);
}

TEST_F(MemoryResource, RandomAllocationsKeepTheirBytes) { EXPECT_TRUE(mix(ref, 1)); }

TEST_F(MemoryResource, AllocationsOfSeveralThreadsKeepTheirBytes) {
  std::array<char, 4> intact{};
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < intact.size(); ++i) {
      threads.emplace_back([this, i, &intact] { intact[i] = mix(ref, i); });
    }
  }
  for (auto const good : intact) EXPECT_TRUE(good);
}

TEST_F(MemoryResource, WhatAnotherThreadAllocatedCanBeFreed) {
  void* block = nullptr;
  std::jthread{[&] { block = allocate(1000); }}.join();
  deallocate(block, 1000);
  EXPECT_EQ(process_pool()->snapshot()[pool_stat::bytes_in_use], 0);
}

TEST_F(MemoryResource, MoreThanThereIsThrowsBadAlloc) {
  EXPECT_THROW(allocate(std::size_t{1} << 60), std::bad_alloc);
  EXPECT_THROW(ref.allocate_sync(std::size_t{1} << 60, max_align), std::bad_alloc);
}

}  // namespace mooring

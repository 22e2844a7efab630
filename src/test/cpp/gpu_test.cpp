// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "device_guard.hpp"
#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

int devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

class PoolGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (devices() == 0) GTEST_SKIP() << "no CUDA device";
  }

  static pool& pinned_pool(std::size_t size) {
    auto& p = *new pool_impl{{.size = size, .max_size = size, .threads = 8, .device = 0},
                             std::make_unique<cuda_fence_source>(0)};
    EXPECT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
    EXPECT_EQ(impl_of(p).filler().refusal(), "");
    return p;
  }
};

/// Keeps a stream busy.
void CUDART_CB nap(void* millis) {
  std::this_thread::sleep_for(std::chrono::milliseconds{reinterpret_cast<std::intptr_t>(millis)});
}

/// Captures a graph on a thread of its own, in the mode that forbids others most.
class capture {
 public:
  capture() {
    while (!begun_) std::this_thread::yield();
  }
  cudaError_t end() {
    over_ = true;
    thread_.join();
    return status_;
  }

 private:
  void run() {
    cudaStream_t stream = nullptr;
    cudaSetDevice(0);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    status_ = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    begun_ = true;
    while (!over_) std::this_thread::yield();
    cudaGraph_t graph = nullptr;
    if (status_ == cudaSuccess) status_ = cudaStreamEndCapture(stream, &graph);
  }

  std::atomic<bool> begun_{false};
  std::atomic<bool> over_{false};
  cudaError_t status_ = cudaSuccess;
  std::thread thread_{[this] { run(); }};
};

double seconds_to_run() {
  auto const* const text = std::getenv("MOORING_STRESS_SECONDS");
  return text == nullptr ? 3 : std::atof(text);
}

void use_device(int device) {
  ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
  set_thread_device(device);
}

/// Memory on each device, for what one thread uploads.
class device_blocks {
 public:
  explicit device_blocks(std::size_t bytes) : blocks_(static_cast<std::size_t>(devices())) {
    for (int d = 0; d < devices(); ++d) {
      use_device(d);
      EXPECT_EQ(cudaMalloc(&blocks_[static_cast<std::size_t>(d)], bytes), cudaSuccess);
    }
  }
  ~device_blocks() {
    for (auto* const block : blocks_) cudaFree(block);
  }
  device_blocks(device_blocks const&) = delete;
  device_blocks& operator=(device_blocks const&) = delete;

  void* on(int device) const { return blocks_[static_cast<std::size_t>(device)]; }

 private:
  std::vector<void*> blocks_;
};

/// Fills, uploads, frees at once, and checks on the device side what arrived; on a device by chance
/// each time.
void upload_loop(pool& p, int seed, std::atomic<long>& mismatches, std::atomic<long>& uploads) {
  std::mt19937_64 random{static_cast<std::uint64_t>(seed)};
  constexpr std::size_t most = 2_MiB;
  device_blocks const blocks{most};
  std::vector<unsigned char> back(most);
  auto const stream = static_cast<cudaStream_t>(per_thread_stream);
  auto const end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds_to_run());
  while (std::chrono::steady_clock::now() < end) {
    auto const number = static_cast<int>(random() % static_cast<unsigned>(devices()));
    use_device(number);
    auto* const device = blocks.on(number);
    auto const bytes = 1 + random() % (random() % 8 == 0 ? most : 64_KiB);
    auto const mark = static_cast<unsigned char>(random());
    auto* const host = p.allocate_ordered(bytes, per_thread_stream);
    if (host == nullptr) continue;
    // As libcudf does after each allocation.
    cudaStreamSynchronize(stream);
    std::memset(host, mark, bytes);
    cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream);
    p.free_ordered(host, per_thread_stream);
    cudaMemcpyAsync(back.data(), device, bytes, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (std::size_t i = 0; i < bytes; ++i) mismatches += back[i] != mark;
    ++uploads;
  }
}

}  // namespace

TEST_F(PoolGpu, EveryChunkIsRegistered) {
  auto& p = pinned_pool(512_MiB);
  for (std::size_t bytes : {64UL, 1_MiB, 100_MiB}) {
    auto* const block = must_allocate(p, bytes);
    cudaPointerAttributes attributes{};
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, block), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
    p.free(block);
  }
}

TEST_F(PoolGpu, ACopyEndsAtBordersAndNotBetweenThem) {
  auto& p = pinned_pool(512_MiB);
  auto const bytes = 300_MiB;
  auto* const host = static_cast<std::byte*>(must_allocate(p, bytes));
  std::mt19937_64 random{1};
  for (std::size_t at = 0; at < bytes; at += 8) {
    auto const word = random();
    std::memcpy(host + at, &word, sizeof word);
  }
  void* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, bytes), cudaSuccess);
  int copies = 0;
  for_each_part(p, host, bytes, [&](std::size_t at, std::size_t part) {
    auto* const to = static_cast<std::byte*>(device) + at;
    ASSERT_EQ(cudaMemcpyAsync(to, host + at, part, cudaMemcpyHostToDevice), cudaSuccess);
    ++copies;
  });
  EXPECT_GE(copies, 3);
  std::vector<std::byte> back(bytes);
  ASSERT_EQ(cudaMemcpy(back.data(), device, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(std::memcmp(back.data(), host, bytes), 0);
  cudaFree(device);
  EXPECT_TRUE(p.free(host));
}

TEST_F(PoolGpu, BlocksFreedWithCopiesInFlightKeepTheirBytes) {
  auto& p = pinned_pool(64_MiB);
  std::atomic<long> mismatches{0};
  std::atomic<long> uploads{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] { upload_loop(p, t, mismatches, uploads); });
  }
  for (auto& t : threads) t.join();
  RecordProperty("uploads", std::to_string(uploads));
  EXPECT_EQ(mismatches, 0);
  EXPECT_GT(uploads, 100);
}

TEST_F(PoolGpu, BlocksOfStreamsOfAnyDeviceAreFencedAlsoOnThreadsThatTellNone) {
  auto& p = pinned_pool(64_MiB);
  for (int d = 0; d < devices(); ++d) {
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaSetDevice(d), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    // As libcudf's threads: on that device for CUDA, and unknown to the pool.
    std::thread{[&] {
      cudaSetDevice(d);
      for (std::size_t bytes : {1000UL, 2_MiB}) {
        EXPECT_TRUE(p.free_ordered(p.allocate_ordered(bytes, stream), stream));
      }
    }}.join();
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  }
  EXPECT_EQ(stat(p, pool_stat::leaked_blocks), 0);
  cudaSetDevice(0);
}

TEST_F(PoolGpu, ACaptureOnAnotherThreadIsNotSpoiltAndNothingIsHandedOutTooEarly) {
  // One chunk, which has no room for two of these.
  auto& p = pinned_pool(16_MiB);
  constexpr auto most = 12_MiB;
  use_device(0);
  cudaStream_t busy = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&busy, cudaStreamNonBlocking), cudaSuccess);
  auto* const block = p.allocate_ordered(most, busy);
  ASSERT_NE(block, nullptr);
  ASSERT_EQ(cudaLaunchHostFunc(busy, nap, reinterpret_cast<void*>(500)), cudaSuccess);
  EXPECT_TRUE(p.free_ordered(block, busy));
  capture other;
  EXPECT_EQ(p.allocate_ordered(most, busy), nullptr) << "its stream is at work";
  EXPECT_TRUE(p.free_ordered(p.allocate_ordered(1000, busy), busy));
  EXPECT_EQ(other.end(), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(busy), cudaSuccess);
  EXPECT_EQ(p.allocate_ordered(most, busy), block);
  EXPECT_EQ(stat(p, pool_stat::leaked_blocks), 0);
}

TEST_F(PoolGpu, OnAnotherDeviceNoThreadMakesAContextOnTheFirst) {
  if (devices() < 2) GTEST_SKIP() << "needs two devices";
  if (has_context(0)) GTEST_SKIP() << "an earlier test of this process has made one";
  use_device(1);
  auto& p = *new pool_impl{{.size = 64_MiB,
                            .max_size = 128_MiB,
                            .threads = 2,
                            .device = 1,
                            .extent_bytes = 32_MiB,
                            .reserve = 0},
                           std::make_unique<cuda_fence_source>(1)};
  ASSERT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  auto* const all = must_allocate(p, 64_MiB);
  auto cause = refusal_cause::off;
  EXPECT_EQ(p.allocate(32_MiB, cause), nullptr);
  ASSERT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  EXPECT_TRUE(p.free(all));
  EXPECT_TRUE(p.free_ordered(p.allocate_ordered(2_MiB, per_thread_stream), per_thread_stream));
  ASSERT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  // As an I/O thread, which asks for marks, and the timer's.
  std::thread{[&] {
    EXPECT_TRUE(p.free(must_allocate(p, 128_MiB)));
    p.trim();
    p.trim();
  }}.join();
  EXPECT_EQ(impl_of(p).filler().capacity(), 64_MiB);
  EXPECT_FALSE(has_context(0));
}

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

#include "bandwidth.hpp"

#include <cuda_runtime_api.h>

#include <cstring>

#include "cuda_check.hpp"
#include "random.hpp"
#include "registration_boundaries.hpp"

namespace mooring::bench {

namespace {

void fill(void* block, std::size_t bytes, std::uint64_t seed) {
  split_mix random{seed};
  auto* const words = static_cast<std::uint64_t*>(block);
  for (std::size_t i = 0; i < bytes / sizeof *words; ++i) words[i] = random.next();
}

/// A stream with two events around what is timed: copies from or to memory of an arm.
class stopwatch {
 public:
  explicit stopwatch(arm const& arm) : arm_{arm} {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    check(cudaEventCreate(&before_), "cudaEventCreate");
    check(cudaEventCreate(&after_), "cudaEventCreate");
  }

  double copy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind) {
    check(cudaEventRecord(before_, stream_), "cudaEventRecord");
    enqueue(static_cast<std::byte*>(to), static_cast<std::byte const*>(from), bytes, kind);
    check(cudaEventRecord(after_, stream_), "cudaEventRecord");
    check(cudaEventSynchronize(after_), "copy");
    float millis = 0;
    check(cudaEventElapsedTime(&millis, before_, after_), "cudaEventElapsedTime");
    return millis / 1e3;
  }

 private:
  void enqueue(std::byte* to, std::byte const* from, std::size_t bytes, cudaMemcpyKind kind) {
    auto const* const host = kind == cudaMemcpyHostToDevice ? from : to;
    for_each_part(arm_, host, bytes, [&](std::size_t at, std::size_t part) {
      check(cudaMemcpyAsync(to + at, from + at, part, kind, stream_), "cudaMemcpyAsync");
    });
  }

  arm const& arm_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t before_ = nullptr;
  cudaEvent_t after_ = nullptr;
};

}  // namespace

std::vector<copy_time> copy_both(arm& arm, std::size_t bytes, int repetitions) {
  void* own = arm.allocate(bytes, false);
  void* host = nullptr;
  void* device = nullptr;
  if (own == nullptr) throw std::runtime_error{"no block for the copy"};
  check(cudaHostAlloc(&host, bytes, cudaHostAllocPortable), "cudaHostAlloc");
  check(cudaMalloc(&device, bytes), "cudaMalloc");
  stopwatch watch{arm};
  std::vector<copy_time> times;
  for (int turn = 0; turn < 2 * repetitions; ++turn) {
    // Each block goes up in turn, and comes down into the other, which tells lost bytes.
    bool const up_from_own = turn % 2 == 0;
    auto* const up = up_from_own ? own : host;
    auto* const down = up_from_own ? host : own;
    fill(up, bytes, static_cast<std::uint64_t>(turn));
    times.push_back({"H2D", up_from_own, watch.copy(device, up, bytes, cudaMemcpyHostToDevice)});
    std::memset(down, 0, bytes);
    times.push_back({"D2H", !up_from_own, watch.copy(down, device, bytes, cudaMemcpyDeviceToHost)});
    if (std::memcmp(up, down, bytes) != 0) throw std::runtime_error{"a copy changed bytes"};
  }
  cudaFree(device);
  cudaFreeHost(host);
  arm.free(own, bytes, false);
  return times;
}

}  // namespace mooring::bench

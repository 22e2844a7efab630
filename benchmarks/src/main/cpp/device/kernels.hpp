// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "pattern.hpp"

namespace mooring::bench {

/// The kernels of kernels.ptx, for every device: they run on the current one, which has to be that
/// of the stream. Thread-safe once loaded; sizes in bytes, of which whole words count. All throw
/// std::runtime_error with the driver's words.
namespace kernels {

/// Compiles them. @throws std::runtime_error also where the driver is older than CUDA 12
void load();

void fill(void* data, std::size_t bytes, std::uint64_t seed, cudaStream_t on);

/// Adds to `*wrong`, a word on the device, how many words differ from `map(pattern)`.
void count_wrong(void const* data, std::size_t bytes, std::uint64_t seed, affine map,
                 std::uint64_t* wrong, cudaStream_t on);

/// Each word goes through so many rounds of `work_round`.
void work(void* data, std::size_t bytes, std::uint64_t rounds, cudaStream_t on);

/// Holds the stream.
void spin(std::uint64_t nanos, cudaStream_t on);

/// to[i] = 3 from[i] + from[i - width] + from[i + width]; `width` in words.
void stencil(void* to, void const* from, std::size_t bytes, std::size_t width, cudaStream_t on);

}  // namespace kernels

/// How many words of an array of the current device differ from the mapped pattern; waits.
std::uint64_t wrong_on_device(void const* data, std::size_t bytes, std::uint64_t seed,
                              affine map = {});

}  // namespace mooring::bench

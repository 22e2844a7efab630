// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace mooring::bench {

/// @throws std::runtime_error that names the call and the CUDA error, unless it succeeded
inline void check(cudaError_t status, char const* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // else the next call would report it again
  throw std::runtime_error{std::string{what} + ": " + cudaGetErrorString(status)};
}

}  // namespace mooring::bench

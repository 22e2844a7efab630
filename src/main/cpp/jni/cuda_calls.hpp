// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "jni_support.hpp"

namespace mooring::jni {

/// CUDA's name and description of an error.
inline std::string error_text(cudaError_t status) {
  return std::string{cudaGetErrorName(status)} + ": " + cudaGetErrorString(status);
}

/// Throws CudaFailure for every error.
inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw java_exception{"io/mooring/jni/CudaFailure", error_text(status)};
}

}  // namespace mooring::jni

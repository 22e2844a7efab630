#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "jni_support.hpp"

namespace mooring::jni {

/// CUDA's name of an error, and its words.
inline std::string words(cudaError_t status) {
  return std::string{cudaGetErrorName(status)} + ": " + cudaGetErrorString(status);
}

/// Throws CudaFailure for every error.
inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw java_exception{"io/mooring/jni/CudaFailure", words(status)};
}

}  // namespace mooring::jni

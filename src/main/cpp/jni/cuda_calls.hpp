#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "jni_support.hpp"
#include "mooring/faults.hpp"

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

/// As `answer`, but waits in either case, so that no copy is in flight behind a fault.
template <typename Wait>
cudaError_t answer_after(fault_point point, Wait&& wait) {
  auto const status = wait();
  return answer(point, [&] { return status; });
}

}  // namespace mooring::jni

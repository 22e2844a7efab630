// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cuda_runtime_api.h>

namespace mooring {

/// Whether the process has a CUDA context on a device; true where the CUDA driver does not say.
inline bool has_context(int device) {
  using state_of = int (*)(int, unsigned*, int*);
  static auto const state = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    if (cudaGetDriverEntryPointByVersion("cuDevicePrimaryCtxGetState", &function, 12000,
                                         cudaEnableDefault, &found) != cudaSuccess) {
      cudaGetLastError();
    }
    return reinterpret_cast<state_of>(function);
  }();
  unsigned flags = 0;
  int active = 1;
  return state == nullptr || state(device, &flags, &active) != 0 || active != 0;
}

/// Makes a device current for the thread, and restores the previous one at the end. A thread that
/// has used no device has the first one as its current device. Restoring that would create a
/// context there, so a device without a context is not restored.
class device_guard {
 public:
  explicit device_guard(int device) {
    // A thread that ends, or has not used this runtime yet, may stand on another device.
    status_ = cudaGetDevice(&before_);
    changed_ = good() && before_ != device;
    if (changed_) status_ = cudaSetDevice(device);
  }
  ~device_guard() {
    if (changed_ && has_context(before_)) cudaSetDevice(before_);
  }
  device_guard(device_guard const&) = delete;
  device_guard& operator=(device_guard const&) = delete;

  bool good() const { return status_ == cudaSuccess; }
  cudaError_t status() const { return status_; }

 private:
  int before_ = 0;
  cudaError_t status_;
  bool changed_;
};

}  // namespace mooring

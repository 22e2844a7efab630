#pragma once

#include <cuda_runtime_api.h>

namespace mooring {

/// Makes a device the current one of the thread, and the old one again at the end.
class current_device {
 public:
  explicit current_device(int device) {
    // A thread that ends, or has not used this runtime yet, may stand on another device.
    status_ = cudaGetDevice(&before_);
    changed_ = good() && before_ != device;
    if (changed_) status_ = cudaSetDevice(device);
  }
  ~current_device() {
    if (changed_) cudaSetDevice(before_);
  }
  current_device(current_device const&) = delete;
  current_device& operator=(current_device const&) = delete;

  bool good() const { return status_ == cudaSuccess; }
  cudaError_t status() const { return status_; }

 private:
  int before_ = 0;
  cudaError_t status_;
  bool changed_;
};

}  // namespace mooring

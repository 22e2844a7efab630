#include <cuda_runtime_api.h>

#include "mooring/fence.hpp"

namespace mooring {

namespace {

/// Makes a device the current one of the thread, and the old one again at the end.
class current_device {
 public:
  explicit current_device(int device) {
    // A thread that ends, or has not used this runtime yet, may stand on another device.
    good_ = cudaGetDevice(&before_) == cudaSuccess;
    changed_ = good_ && before_ != device;
    if (changed_) good_ = cudaSetDevice(device) == cudaSuccess;
  }
  ~current_device() {
    if (changed_) cudaSetDevice(before_);
  }
  current_device(current_device const&) = delete;
  current_device& operator=(current_device const&) = delete;

  bool good() const { return good_; }

 private:
  int before_ = 0;
  bool good_;
  bool changed_;
};

}  // namespace

fence_handle cuda_fence_source::take_event() noexcept {
  {
    std::lock_guard lock{mutex_};
    if (!idle_.empty()) {
      auto* const event = idle_.back();
      idle_.pop_back();
      return event;
    }
  }
  cudaEvent_t event = nullptr;
  return cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess ? event : nullptr;
}

fence_handle cuda_fence_source::record(stream_handle stream) noexcept {
  current_device const on{device_};
  if (!on.good()) return nullptr;
  auto* const event = take_event();
  if (event == nullptr) return nullptr;
  auto const status =
      cudaEventRecord(static_cast<cudaEvent_t>(event), static_cast<cudaStream_t>(stream));
  if (status == cudaSuccess) return event;
  cudaGetLastError();
  recycle(event);
  return nullptr;
}

bool cuda_fence_source::passed(fence_handle fence) noexcept {
  auto const status = cudaEventQuery(static_cast<cudaEvent_t>(fence));
  if (status == cudaErrorNotReady) return false;
  // Any other error says that the context is gone, and with it every copy that was in flight.
  if (status != cudaSuccess) cudaGetLastError();
  return true;
}

void cuda_fence_source::recycle(fence_handle fence) noexcept {
  std::lock_guard lock{mutex_};
  idle_.push_back(fence);
}

}  // namespace mooring

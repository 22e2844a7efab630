#include <cuda_runtime_api.h>

#include "mooring/fence.hpp"

namespace mooring {

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
  // Per-thread: a thread that ends, or has not used this runtime yet, may have another device.
  if (cudaSetDevice(device_) != cudaSuccess) return nullptr;
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
  return cudaEventQuery(static_cast<cudaEvent_t>(fence)) == cudaSuccess;
}

void cuda_fence_source::recycle(fence_handle fence) noexcept {
  std::lock_guard lock{mutex_};
  idle_.push_back(fence);
}

}  // namespace mooring

#include <cstdint>

#include "mooring/current_device.hpp"
#include "mooring/fence.hpp"

namespace mooring {

namespace {

/// The device of a stream that a thread uses which has told none, as libcudf's own threads.
int device_of(stream_handle stream, int otherwise) {
  // Default streams are handles up to this one, and of whatever device is current.
  auto const is_default = reinterpret_cast<std::uintptr_t>(stream) <=
                          reinterpret_cast<std::uintptr_t>(cudaStreamPerThread);
  int device = otherwise;
  if (!is_default &&
      cudaStreamGetDevice(static_cast<cudaStream_t>(stream), &device) != cudaSuccess) {
    cudaGetLastError();
    return otherwise;
  }
  return device;
}

}  // namespace

fence_handle cuda_fence_source::take_event(int device) noexcept {
  {
    std::lock_guard lock{mutex_};
    auto& idle = idle_[device];
    if (!idle.empty()) {
      auto* const event = idle.back();
      idle.pop_back();
      return event;
    }
  }
  cudaEvent_t event = nullptr;
  if (cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess) return nullptr;
  std::lock_guard lock{mutex_};
  device_of_[event] = device;
  return event;
}

fence_handle cuda_fence_source::record(device_stream on) noexcept {
  auto const device = on.device < 0 ? device_of(on.stream, device_) : on.device;
  current_device const current{device};
  if (!current.good()) return nullptr;
  auto* const event = take_event(device);
  if (event == nullptr) return nullptr;
  auto const status =
      cudaEventRecord(static_cast<cudaEvent_t>(event), static_cast<cudaStream_t>(on.stream));
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
  idle_[device_of_[fence]].push_back(fence);
}

}  // namespace mooring

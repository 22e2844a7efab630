// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <new>
#include <utility>

#include "cuda_errors.hpp"
#include "device_guard.hpp"
#include "fence.hpp"
#include "relaxed_capture_mode.hpp"

namespace mooring {

namespace {

/// The device of a stream, for a thread that has set no device, such as libcudf's own threads.
int device_of(stream_handle stream, int otherwise) {
  // Default streams are handles up to this one, and of whatever device is current.
  auto const is_default = reinterpret_cast<std::uintptr_t>(stream) <=
                          reinterpret_cast<std::uintptr_t>(per_thread_stream);
  int device = otherwise;
  if (!is_default &&
      cudaStreamGetDevice(static_cast<cudaStream_t>(stream), &device) != cudaSuccess) {
    cudaGetLastError();
    return otherwise;
  }
  return device;
}

}  // namespace

struct cuda_fence_source::event {
  cudaEvent_t handle;
  int device;
  event* next;  ///< idle too: giving one back takes no memory
};

cuda_fence_source::event* cuda_fence_source::take_event(int device) noexcept {
  {
    std::lock_guard lock{mutex_};
    auto& idle = idle_[device];
    if (idle != nullptr) return std::exchange(idle, idle->next);
  }
  cudaEvent_t handle = nullptr;
  if (cudaEventCreateWithFlags(&handle, cudaEventDisableTiming) == cudaSuccess) {
    auto* const fresh = new (std::nothrow) event{handle, device, nullptr};
    if (fresh == nullptr) cudaEventDestroy(handle);
    return fresh;
  }
  cudaGetLastError();
  return nullptr;
}

fence_handle cuda_fence_source::record(device_stream on) noexcept {
  auto const device = on.device < 0 ? device_of(on.stream, device_) : on.device;
  device_guard const current{device};
  if (!current.good()) return nullptr;
  relaxed_capture_mode const relaxed;
  auto* const taken = take_event(device);
  if (taken == nullptr) return nullptr;
  auto const status = cudaEventRecord(taken->handle, static_cast<cudaStream_t>(on.stream));
  if (status == cudaSuccess) return taken;
  cudaGetLastError();
  recycle(taken);
  return nullptr;
}

bool cuda_fence_source::passed(fence_handle fence) noexcept {
  auto const* const asked = static_cast<event*>(fence);
  device_guard const current{asked->device};
  relaxed_capture_mode const relaxed;
  auto const status = cudaEventQuery(asked->handle);
  if (status == cudaSuccess) return true;
  cudaGetLastError();
  // A lost context has nothing in flight any more. Other errors say nothing about the copy.
  return ends_context(status);
}

void cuda_fence_source::recycle(fence_handle fence) noexcept {
  auto* const returned = static_cast<event*>(fence);
  std::lock_guard lock{mutex_};
  returned->next = std::exchange(idle_[returned->device], returned);
}

bool cuda_fence_source::drain(int device) noexcept {
  device_guard const current{device < 0 ? device_ : device};
  auto const status = current.good() ? cudaDeviceSynchronize() : current.status();
  if (status == cudaSuccess) return true;
  cudaGetLastError();
  return ends_context(status);
}

}  // namespace mooring

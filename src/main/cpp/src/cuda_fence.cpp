// SPDX-License-Identifier: Apache-2.0

#include <cstdint>

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

fence_handle cuda_fence_source::record(device_stream on) noexcept {
  device_guard const known{on.device < 0 ? device_ : on.device};
  relaxed_capture_mode const relaxed;
  auto const device = on.device < 0 ? device_of(on.stream, device_) : on.device;
  device_guard const current{device};
  if (!current.good()) return nullptr;
  pooled_event* taken = nullptr;
  if (events_.take(device, taken) == cudaSuccess) {
    if (cudaEventRecord(taken->handle, static_cast<cudaStream_t>(on.stream)) == cudaSuccess) {
      return taken;
    }
    events_.recycle(taken);
  }
  cudaGetLastError();
  return nullptr;
}

bool cuda_fence_source::passed(fence_handle fence) noexcept {
  auto const* const asked = static_cast<pooled_event*>(fence);
  device_guard const current{asked->device};
  relaxed_capture_mode const relaxed;
  auto const status = cudaEventQuery(asked->handle);
  if (status == cudaSuccess) return true;
  cudaGetLastError();
  // A lost context has nothing in flight any more. Other errors say nothing about the copy.
  return ends_context(status);
}

void cuda_fence_source::recycle(fence_handle fence) noexcept {
  events_.recycle(static_cast<pooled_event*>(fence));
}

bool cuda_fence_source::drain(int device) noexcept {
  device_guard const current{device < 0 ? device_ : device};
  auto const status = current.good() ? cudaDeviceSynchronize() : current.status();
  if (status == cudaSuccess) return true;
  cudaGetLastError();
  return ends_context(status);
}

}  // namespace mooring

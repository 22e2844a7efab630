// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <new>
#include <utility>

namespace mooring {

/// A CUDA event without timing.
struct pooled_event {
  cudaEvent_t handle;
  int device;
  pooled_event* next;  ///< idle too: giving one back takes no memory
};

/**
 * CUDA events of one kind, for each device those that nobody uses. To make or to destroy an event
 * may take long, and blocks other calls of the CUDA driver, so none is destroyed: there are as many
 * as were in use at a time. Thread-safe.
 */
class event_pool {
 public:
  /// @param flags beside cudaEventDisableTiming
  explicit event_pool(unsigned flags = cudaEventDefault) : flags_{flags | cudaEventDisableTiming} {}

  /// Sets `taken` to an event of the calling thread's device, whose number is `device`.
  cudaError_t take(int device, pooled_event*& taken) noexcept {
    {
      std::lock_guard const lock{mutex_};
      auto& idle = idle_[device];
      if (idle != nullptr) {
        taken = std::exchange(idle, idle->next);
        return cudaSuccess;
      }
    }
    cudaEvent_t handle = nullptr;
    auto const status = cudaEventCreateWithFlags(&handle, flags_);
    if (status != cudaSuccess) return status;
    taken = new (std::nothrow) pooled_event{handle, device, nullptr};
    if (taken != nullptr) return cudaSuccess;
    cudaEventDestroy(handle);
    return cudaErrorMemoryAllocation;
  }

  /// Takes back an event for which nobody waits any more, on any thread.
  void recycle(pooled_event* returned) noexcept {
    std::lock_guard const lock{mutex_};
    returned->next = std::exchange(idle_[returned->device], returned);
  }

 private:
  unsigned flags_;
  std::mutex mutex_;
  std::map<int, pooled_event*> idle_;
};

}  // namespace mooring

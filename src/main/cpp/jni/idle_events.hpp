// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "cuda_calls.hpp"

namespace mooring::jni {

/**
 * Events of the devices between two uses. To make or to destroy an event for blocking waits takes
 * long, and blocks other calls of the CUDA driver. There are as many as were in use at a time.
 * Thread-safe.
 */
class idle_events {
 public:
  /// An event of the calling thread's device; its last use has ended.
  cudaEvent_t take() {
    auto const device = current_device();
    {
      std::lock_guard const lock{mutex_};
      auto& idle = idle_[device];
      if (!idle.empty()) {
        auto* const event = idle.back();
        idle.pop_back();
        return event;
      }
    }
    cudaEvent_t event = nullptr;
    // Blocking: a waiting I/O thread must not take a core from Spark.
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync));
    return event;
  }

  /// Takes back an event of the calling thread's device, for which nobody waits any more.
  void recycle(cudaEvent_t event) {
    auto const device = current_device();
    std::lock_guard const lock{mutex_};
    idle_[device].push_back(event);
  }

 private:
  static int current_device() {
    int device = 0;
    check(cudaGetDevice(&device));
    return device;
  }

  std::mutex mutex_;
  std::map<int, std::vector<cudaEvent_t>> idle_;
};

}  // namespace mooring::jni

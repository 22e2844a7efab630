// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <utility>

#include "cuda_check.hpp"

namespace mooring::bench {

/// A stream of the device that is current where it is made.
class stream {
 public:
  stream() { check(cudaStreamCreateWithFlags(&value_, cudaStreamNonBlocking), "cudaStreamCreate"); }
  ~stream() {
    if (value_ != nullptr) cudaStreamDestroy(value_);
  }
  stream(stream&& other) noexcept : value_{std::exchange(other.value_, nullptr)} {}
  stream& operator=(stream&&) = delete;

  operator cudaStream_t() const { return value_; }
  void synchronize() const { check(cudaStreamSynchronize(value_), "cudaStreamSynchronize"); }
  void await(cudaEvent_t event) const {
    check(cudaStreamWaitEvent(value_, event, 0), "cudaStreamWaitEvent");
  }

 private:
  cudaStream_t value_ = nullptr;
};

/// An event of the device that is current where it is made; only one with `cudaEventDefault` times.
class event {
 public:
  explicit event(unsigned flags = cudaEventDisableTiming) {
    check(cudaEventCreateWithFlags(&value_, flags), "cudaEventCreate");
  }
  ~event() {
    if (value_ != nullptr) cudaEventDestroy(value_);
  }
  event(event&& other) noexcept : value_{std::exchange(other.value_, nullptr)} {}
  event& operator=(event&&) = delete;

  operator cudaEvent_t() const { return value_; }
  void record(cudaStream_t on) const { check(cudaEventRecord(value_, on), "cudaEventRecord"); }
  void synchronize() const { check(cudaEventSynchronize(value_), "cudaEventSynchronize"); }

  /// Seconds from an earlier event of the same device; both have passed.
  double seconds_since(event const& earlier) const {
    float millis = 0;
    check(cudaEventElapsedTime(&millis, earlier.value_, value_), "cudaEventElapsedTime");
    return millis / 1e3;
  }

 private:
  cudaEvent_t value_ = nullptr;
};

/// Memory of the device that is current where it is made.
class device_memory {
 public:
  explicit device_memory(std::size_t bytes) : bytes_{bytes} {
    check(cudaMalloc(&value_, bytes), "cudaMalloc");
  }
  ~device_memory() {
    if (value_ != nullptr) cudaFree(value_);
  }
  device_memory(device_memory&& other) noexcept
      : value_{std::exchange(other.value_, nullptr)}, bytes_{other.bytes_} {}
  device_memory& operator=(device_memory&&) = delete;

  std::byte* get() const { return static_cast<std::byte*>(value_); }
  std::size_t bytes() const { return bytes_; }

 private:
  void* value_ = nullptr;
  std::size_t bytes_;
};

inline void use_device(int device) { check(cudaSetDevice(device), "cudaSetDevice"); }

}  // namespace mooring::bench

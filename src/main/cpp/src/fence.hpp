// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "event_pool.hpp"
#include "mooring/export.hpp"
#include "mooring/pool.hpp"

namespace mooring {

/// Handle of the default stream that each thread has of its own on each device:
/// cudaStreamPerThread.
inline stream_handle const per_thread_stream = reinterpret_cast<stream_handle>(0x2);

/**
 * A stream and the device that it belongs to. The per-thread default stream has the same handle on
 * every device, but work on different devices is not ordered.
 */
struct device_stream {
  stream_handle stream;
  int device = -1;  ///< negative: unknown

  bool operator==(device_stream const&) const = default;
};

/// A point on a stream; opaque.
using fence_handle = void*;

/**
 * Marks points on streams and tells when they have passed. Implementations are thread-safe and are
 * called under no lock of the pool.
 */
class fence_source {
 public:
  virtual ~fence_source() = default;

  /// Marks what has been enqueued on `on` by the calling thread; null when that fails.
  virtual fence_handle record(device_stream on) noexcept = 0;

  /// Whether everything before the mark is done. Never waits; false as well when CUDA cannot tell.
  virtual bool passed(fence_handle fence) noexcept = 0;

  /// Gives a fence back after it has passed.
  virtual void recycle(fence_handle fence) noexcept = 0;

  /// Waits for everything enqueued on a device; a negative number stands for the default device of
  /// the source. False when CUDA cannot tell.
  virtual bool drain(int) noexcept { return false; }
};

/// Fences as CUDA events without timing, pooled for each device. Another thread of the process may
/// be capturing a graph meanwhile: no call of these spoils that.
class MOORING_EXPORT cuda_fence_source final : public fence_source {
 public:
  /// @param device of default streams whose device is unknown
  explicit cuda_fence_source(int device) : device_{device} {}

  fence_handle record(device_stream on) noexcept override;
  bool passed(fence_handle fence) noexcept override;
  void recycle(fence_handle fence) noexcept override;
  bool drain(int device) noexcept override;

 private:
  int device_;
  event_pool events_;
};

}  // namespace mooring

#pragma once

#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "mooring/export.hpp"

namespace mooring {

/// A CUDA stream as a plain handle, so that the pool compiles and runs without CUDA.
using stream_handle = void*;

/**
 * A stream and the device that it belongs to. The per-thread default stream has one handle on every
 * device: what is in order on one is in no order on another.
 */
struct device_stream {
  stream_handle stream;
  int device = -1;  ///< negative: not told

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

  /// Whether everything before the mark is done. Never waits.
  virtual bool passed(fence_handle fence) noexcept = 0;

  /// Gives a fence back after it has passed.
  virtual void recycle(fence_handle fence) noexcept = 0;
};

/// Fences as CUDA events without timing, pooled for each device.
class MOORING_EXPORT cuda_fence_source final : public fence_source {
 public:
  /// @param device of default streams whose device is not told; others know theirs
  explicit cuda_fence_source(int device) : device_{device} {}

  fence_handle record(device_stream on) noexcept override;
  bool passed(fence_handle fence) noexcept override;
  void recycle(fence_handle fence) noexcept override;

 private:
  fence_handle take_event(int device) noexcept;

  int device_;
  std::mutex mutex_;
  std::map<int, std::vector<fence_handle>> idle_;
  std::unordered_map<fence_handle, int> device_of_;
};

}  // namespace mooring

#pragma once

#include <mutex>
#include <vector>

#include "mooring/export.hpp"

namespace mooring {

/// A CUDA stream as a plain handle, so that the pool compiles and runs without CUDA.
using stream_handle = void*;

/// A point on a stream; opaque.
using fence_handle = void*;

/**
 * Marks points on streams and tells when they have passed. Implementations are thread-safe and are
 * called under no lock of the pool.
 */
class fence_source {
 public:
  virtual ~fence_source() = default;

  /// Marks what has been enqueued on `stream` by the calling thread; null when that fails.
  virtual fence_handle record(stream_handle stream) noexcept = 0;

  /// Whether everything before the mark is done. Never waits.
  virtual bool passed(fence_handle fence) noexcept = 0;

  /// Gives a fence back after it has passed.
  virtual void recycle(fence_handle fence) noexcept = 0;
};

/// Fences as pooled CUDA events without timing.
class MOORING_EXPORT cuda_fence_source final : public fence_source {
 public:
  /// @param device the device whose streams are marked
  explicit cuda_fence_source(int device) : device_{device} {}

  fence_handle record(stream_handle stream) noexcept override;
  bool passed(fence_handle fence) noexcept override;
  void recycle(fence_handle fence) noexcept override;

 private:
  fence_handle take_event() noexcept;

  int device_;
  std::mutex mutex_;
  std::vector<fence_handle> idle_;
};

}  // namespace mooring

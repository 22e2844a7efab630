// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cuda_runtime_api.h>

namespace mooring {

/// Lets a thread make calls that a capture of a graph on another thread forbids, and would be
/// spoilt by; none of ours touches a stream that is captured.
class relaxed_capture_mode {
 public:
  relaxed_capture_mode() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~relaxed_capture_mode() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  relaxed_capture_mode(relaxed_capture_mode const&) = delete;
  relaxed_capture_mode& operator=(relaxed_capture_mode const&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace mooring

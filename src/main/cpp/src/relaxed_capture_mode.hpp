// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cuda_runtime_api.h>

namespace mooring {

/// Lets a thread make CUDA calls while another thread captures a graph. In the default mode such
/// calls are forbidden and make the capture fail. No call of the pool touches a stream that is
/// captured. The thread must have a current device first: on a thread that has set none, CUDA makes a
/// context on the first device, some 500 MiB of its memory.
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

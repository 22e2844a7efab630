#pragma once

#include <cuda_runtime_api.h>

namespace mooring {

/// Lets a thread make calls that a capture of a graph on another thread forbids, and would be
/// spoilt by; none of ours touches a stream that is captured.
class beside_captures {
 public:
  beside_captures() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~beside_captures() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  beside_captures(beside_captures const&) = delete;
  beside_captures& operator=(beside_captures const&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace mooring

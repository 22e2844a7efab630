// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cuda_runtime_api.h>

namespace mooring {

/// Whether a context does not survive an error: "any further CUDA work will return the same error",
/// says the runtime's reference of these.
inline bool ends_context(cudaError_t error) {
  switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

}  // namespace mooring

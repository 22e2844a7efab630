// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "faults/faults.hpp"
#include "slab_source.hpp"

namespace mooring {

/// Memory that a driver registers unless a test has it refuse; it is not asked then.
class faulty_slab_source final : public registered_slab_source {
 public:
  using registered_slab_source::registered_slab_source;

  std::string pin(std::byte* base, std::size_t bytes) override {
    auto const fault = faults::next(fault_point::host_register);
    if (fault != 0) return cudaGetErrorString(static_cast<cudaError_t>(fault));
    return registered_slab_source::pin(base, bytes);
  }
};

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include "../cuda_check.hpp"
#include "numa.hpp"
#include "requests.hpp"

namespace mooring::bench {

void answer_devices() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    char bus[32] = {};
    check(cudaDeviceGetPCIBusId(bus, sizeof bus, device), "cudaDeviceGetPCIBusId");
    json_line{}
        .add("name", std::string{properties.name})
        .add("bus", std::string{bus})
        .add("memory_bytes", static_cast<std::uint64_t>(properties.totalGlobalMem))
        .add("copy_engines", static_cast<std::uint64_t>(properties.asyncEngineCount))
        .add("numa_node", static_cast<double>(numa_node_of_device(device)))
        .print();
  }
  print_end();
}

}  // namespace mooring::bench

#include "mooring/numa.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <map>
#include <mutex>
#include <string>

namespace mooring {

int numa_node_of_device(int device) {
  std::array<char, 32> bus_id{};
  if (cudaDeviceGetPCIBusId(bus_id.data(), bus_id.size(), device) != cudaSuccess) {
    cudaGetLastError();
    return -1;
  }
  std::string id{bus_id.data()};
  // sysfs spells the hexadecimal digits small.
  std::transform(id.begin(), id.end(), id.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::ifstream file{"/sys/bus/pci/devices/" + id + "/numa_node"};
  int node = -1;
  return file >> node ? node : -1;
}

int known_node_of_device(int device) {
  // Never destroyed: threads may ask while the process ends.
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<int, int>;
  std::lock_guard const lock{mutex};
  auto const found = known.find(device);
  if (found != known.end()) return found->second;
  return known[device] = numa_node_of_device(device);
}

}  // namespace mooring

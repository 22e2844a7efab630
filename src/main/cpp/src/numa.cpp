// SPDX-License-Identifier: Apache-2.0

#include "numa.hpp"

#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <map>
#include <mutex>
#include <string>

namespace mooring {

namespace {

int node_in_sysfs(int device) {
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

}  // namespace

bool may_bind_memory() {
  constexpr std::size_t page = 4096;
  auto* const p = mmap(nullptr, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return true;
  // MPOL_DEFAULT, which the page has already: the call only tests whether mbind is permitted.
  bool const forbidden = syscall(SYS_mbind, p, page, 0, nullptr, 0UL, 0U) != 0 && errno == EPERM;
  munmap(p, page);
  return !forbidden;
}

int numa_node_of_device(int device) {
  // Never destroyed: threads may ask while the process ends.
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<int, int>;
  std::lock_guard const lock{mutex};
  auto const found = known.find(device);
  return found != known.end() ? found->second : known[device] = node_in_sysfs(device);
}

}  // namespace mooring

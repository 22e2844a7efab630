#pragma once

#include "mooring/export.hpp"

namespace mooring {

/// The NUMA node that a device hangs on, from sysfs; -1 when there is one node, or nothing is said.
MOORING_EXPORT int numa_node_of_device(int device);

/// As `numa_node_of_device`, looked up once for each device. Thread-safe.
int known_node_of_device(int device);

}  // namespace mooring

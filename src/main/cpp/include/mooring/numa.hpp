#pragma once

#include "mooring/export.hpp"

namespace mooring {

/// The NUMA node that a device hangs on, from sysfs; -1 when there is one node, or nothing is said.
MOORING_EXPORT int numa_node_of_device(int device);

}  // namespace mooring

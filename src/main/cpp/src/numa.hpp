// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "mooring/export.hpp"

namespace mooring {

/// The NUMA node of a device, from sysfs; -1 when there is one node, or sysfs names none. Looked up
/// once for each device. Thread-safe.
MOORING_EXPORT int numa_node_of_device(int device);

/// Whether the system lets this process choose the node of its pages: containers that filter system
/// calls often forbid it.
MOORING_EXPORT bool may_bind_memory();

}  // namespace mooring

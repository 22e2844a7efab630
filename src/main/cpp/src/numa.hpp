// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "mooring/export.hpp"

namespace mooring {

/// The NUMA node that a device hangs on, from sysfs; -1 when there is one node, or nothing is said.
/// Looked up once for each device. Thread-safe.
MOORING_EXPORT int numa_node_of_device(int device);

/// Whether the system lets this process say on which node its pages are to be: containers that
/// filter system calls often forbid it.
MOORING_EXPORT bool may_bind_memory();

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

// Only for linking: gives libmooring_cudf.so the one symbol it takes from libcudf.so.
#include <cuda/memory_resource>

namespace cudf {
using pinned_ref = cuda::mr::resource_ref<cuda::mr::host_accessible, cuda::mr::device_accessible>;
pinned_ref set_pinned_memory_resource(pinned_ref resource);
// NOLINTNEXTLINE(performance-unnecessary-value-param): by value in libcudf, too
pinned_ref set_pinned_memory_resource(pinned_ref resource) { return resource; }
}  // namespace cudf

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cuda/memory_resource>
#include <cuda/stream_ref>

#include "mooring/pool.hpp"

namespace mooring {

/**
 * The process pool as libcudf's pinned memory resource. What the pool cannot serve comes from
 * cudaHostAlloc and never from pageable memory, because libcudf's kernels may read it. A copyable
 * handle; thread-safe.
 */
class pinned_memory_resource {
 public:
  /// @throws std::bad_alloc when neither the pool nor the driver has memory
  void* allocate(cuda::stream_ref stream, std::size_t bytes, std::size_t alignment);

  void deallocate(cuda::stream_ref stream, void* address, std::size_t bytes,
                  std::size_t alignment) noexcept;

  /// Allocates on the default stream and waits for it: nothing reads the block any more.
  void* allocate_sync(std::size_t bytes, std::size_t alignment);

  void deallocate_sync(void* address, std::size_t bytes, std::size_t alignment) noexcept;

  bool operator==(pinned_memory_resource const&) const noexcept { return true; }

  friend void get_property(pinned_memory_resource const&, cuda::mr::host_accessible) noexcept {}
  friend void get_property(pinned_memory_resource const&, cuda::mr::device_accessible) noexcept {}
};

static_assert(cuda::mr::resource_with<pinned_memory_resource, cuda::mr::host_accessible,
                                      cuda::mr::device_accessible>);

}  // namespace mooring

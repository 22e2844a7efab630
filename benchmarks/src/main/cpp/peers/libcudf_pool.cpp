// SPDX-License-Identifier: Apache-2.0

// The pinned resource that libcudf makes for itself: RMM's pool, cudaHostAlloc when it is full.
#include <cstdio>
#include <cuda/memory_resource>
#include <cuda/stream_ref>
#include <exception>

#include "../arm.hpp"

namespace cudf {
using pinned_ref = cuda::mr::resource_ref<cuda::mr::host_accessible, cuda::mr::device_accessible>;
pinned_ref get_pinned_memory_resource();
}  // namespace cudf

namespace {

constexpr std::size_t alignment = 256;

class libcudf_pool_arm final : public mooring::bench::arm {
 public:
  void* allocate(std::size_t bytes, bool) noexcept override try {
    return resource_.allocate(stream_, bytes, alignment);
  } catch (std::exception const&) {
    return nullptr;
  }

  void free(void* block, std::size_t bytes, bool) noexcept override {
    resource_.deallocate(stream_, block, bytes, alignment);
  }

 private:
  cuda::stream_ref stream_{cudaStreamPerThread};
  cudf::pinned_ref resource_{cudf::get_pinned_memory_resource()};
};

}  // namespace

extern "C" __attribute__((visibility("default"))) mooring::bench::arm* make_peer(std::size_t) {
  try {
    return new libcudf_pool_arm;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "libcudf: %s\n", e.what());
    return nullptr;
  }
}

// SPDX-License-Identifier: Apache-2.0

// RMM's pool over its pinned host memory, as ai.rapids.cudf.PinnedMemoryPool makes it.
#include <cstdio>
#include <exception>
#include <rmm/mr/pinned_host_memory_resource.hpp>
#include <rmm/mr/pool_memory_resource.hpp>

#include "../arm.hpp"

namespace {

constexpr std::size_t rounding = 256;

class rmm_pool_arm final : public mooring::bench::arm {
 public:
  explicit rmm_pool_arm(std::size_t pool)
      : pool_{rmm::mr::pinned_host_memory_resource{}, pool, pool} {}

  void* allocate(std::size_t bytes, bool) noexcept override try {
    return pool_.allocate(stream_, bytes, rounding);
  } catch (std::exception const&) {
    return nullptr;
  }

  void free(void* block, std::size_t bytes, bool) noexcept override {
    pool_.deallocate(stream_, block, bytes, rounding);
  }

  std::size_t granted(std::size_t bytes, bool) const override {
    return (bytes + rounding - 1) / rounding * rounding;
  }

 private:
  cuda::stream_ref stream_{cudaStreamPerThread};
  rmm::mr::pool_memory_resource pool_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) mooring::bench::arm* make_peer(std::size_t pool) {
  try {
    return new rmm_pool_arm{pool / rounding * rounding};
  } catch (std::exception const& e) {
    std::fprintf(stderr, "RMM: %s\n", e.what());
    return nullptr;
  }
}

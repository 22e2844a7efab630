// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <chrono>

#include "arm.hpp"
#include "numa.hpp"
#include "pool_impl.hpp"

namespace mooring::bench {

namespace {

// The handle of every thread's own default stream, under which libcudf's Java jar works.
auto const per_thread = reinterpret_cast<stream_handle>(0x2);

class mooring_arm final : public arm {
 public:
  mooring_arm(pool_options const& options, std::unique_ptr<fence_source> fences)
      : pool_{*new pool_impl{options, std::move(fences)}}, pinned_{options.device >= 0} {}

  void* allocate(std::size_t bytes, bool ordered) noexcept override {
    if (ordered) return pool_.allocate_ordered(bytes, per_thread);
    auto cause = refusal_cause::off;
    return pool_.allocate(bytes, cause);
  }

  void free(void* block, std::size_t, bool ordered) noexcept override {
    if (ordered) {
      pool_.free_ordered(block, per_thread);
    } else {
      pool_.free(block);
    }
  }

  void await() override {
    pool_.await_filled(std::chrono::minutes{5});
    auto const refusal = pool_.refusal();
    if (!refusal.empty()) throw std::runtime_error{"the pool was refused memory: " + refusal};
  }

  std::size_t granted(std::size_t bytes, bool ordered) const override {
    bytes = std::max(bytes, 1UL);
    if (ordered) bytes = size_classes::aligned(bytes, size_classes::alignment);
    if (bytes <= size_classes::largest) return size_classes::bytes(size_classes::of(bytes));
    return page_arena::pages_for(bytes) * page_arena::page_bytes;
  }

  std::optional<fragmentation> fragments() const override {
    auto const now = pool_.snapshot();
    return fragmentation{static_cast<std::uint64_t>(now[pool_stat::capacity_bytes] -
                                                    now[pool_stat::page_bytes_in_use]),
                         static_cast<std::uint64_t>(now[pool_stat::largest_free_run])};
  }

  std::size_t max_copy_bytes(void const* address, std::size_t bytes) const override {
    return pool_.max_copy_bytes(address, bytes);
  }

  bool pinned() const override { return pinned_; }

 private:
  pool& pool_;
  bool pinned_;
};

}  // namespace

arm& make_mooring_arm(arm_options const& options) {
  bool const gpu = has_gpu();
  // As the plugin starts it.
  pool_options const wanted{.size = options.pool,
                          .max_size = options.pool,
                          .threads = options.threads,
                          .device = gpu ? 0 : -1,
                          .numa_nodes = {gpu ? numa_node_of_device(0) : -1}};
  return *new mooring_arm{wanted, gpu ? std::make_unique<cuda_fence_source>(0) : nullptr};
}

}  // namespace mooring::bench

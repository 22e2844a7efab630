// SPDX-License-Identifier: Apache-2.0

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "mooring/pool.hpp"
#include "pool_impl.hpp"

namespace mooring {

namespace {
std::atomic<pool*> the_pool{nullptr};
std::mutex start_mutex;
}  // namespace

pool* process_pool() noexcept { return the_pool.load(std::memory_order_acquire); }

bool start_process_pool(pool_options const& options) {
  return start_process_pool(options, nullptr);
}

bool start_process_pool(pool_options const& options, std::unique_ptr<slab_source> source) {
  std::lock_guard lock{start_mutex};
  if (process_pool() != nullptr) return false;
  std::unique_ptr<fence_source> fences;
  if (options.device >= 0) fences = std::make_unique<cuda_fence_source>(options.device);
  the_pool.store(new pool_impl{options, std::move(fences), std::move(source)},
                 std::memory_order_release);
  return true;
}

}  // namespace mooring

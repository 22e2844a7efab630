#include "mooring/small_heap.hpp"

namespace mooring {

cache_totals small_heap::totals() const {
  cache_totals sum;
  auto const add_frees = [&](cache_counters const& from) {
    for (int c = 0; c < size_classes::count; ++c) sum.frees[c] += from.frees[c].get_acquire();
  };
  auto const add_allocations = [&](cache_counters const& from) {
    for (int c = 0; c < size_classes::count; ++c) sum.allocations[c] += from.allocations[c].get();
    sum.requested_bytes += from.requested_bytes.get();
  };
  // A free follows its allocation, if need be on another thread, whose cache may be new: all frees
  // are read first, and then the allocations of all caches that there are by then.
  for (auto const* const cache : caches_.all()) add_frees(cache->counters);
  add_frees(uncached_);
  for (auto const* const cache : caches_.all()) {
    add_allocations(cache->counters);
    sum.cached_bytes += cache->cached_bytes();
  }
  add_allocations(uncached_);
  return sum;
}

void small_heap::cached_bytes(std::vector<std::int64_t>& to) const {
  for (auto const* const cache : caches_.all()) {
    auto const bytes = cache->cached_bytes();
    if (bytes > 0) to.push_back(static_cast<std::int64_t>(bytes));
  }
}

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "pool_impl.hpp"

namespace mooring {

namespace {

constexpr int any_node = -1, several_nodes = -2;
constexpr auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };

}  // namespace

heap_usage small_heap::usage() const {
  heap_usage sum;
  auto const add_frees = [&](cache_counters const& from) {
    sum.frees += from.frees.get_acquire();
    sum.in_use -= from.freed_bytes.get_acquire();
  };
  auto const add_allocations = [&](cache_counters const& from) {
    sum.allocations += from.allocations.get();
    sum.requested += from.requested_bytes.get();
    sum.in_use += from.allocated_bytes.get();
  };
  // A free follows its allocation, if need be on another thread, whose cache may be new: all frees
  // are read first, and then the allocations of all caches that there are by then.
  for (auto const* const cache : caches_.all()) add_frees(cache->counters);
  add_frees(uncached_);
  for (auto const* const cache : caches_.all()) add_allocations(cache->counters);
  add_allocations(uncached_);
  return sum;
}

std::uint64_t small_heap::cached_bytes() const {
  std::uint64_t sum = 0;
  for (auto const* const cache : caches_.all()) sum += cache->cached_bytes();
  return sum;
}

pool_snapshot pool::snapshot() const {
  using enum pool_stat;
  auto const& self = impl_of(*this);
  auto const& nodes = self.options_.numa_nodes;
  auto const pages = self.arena_.usage();
  auto const waits = self.waiters_.stats();
  pool_snapshot now;
  now[state] = static_cast<std::int64_t>(self.filler_.state());
  now[numa_node] = nodes.empty() ? any_node : nodes.size() > 1 ? several_nodes : nodes.front();
  now[target_bytes] = number(self.options_.size);
  now[max_bytes] = number(self.memory_.bytes());
  now[capacity_bytes] = number(self.filler_.capacity());
  now[cached_bytes] = number(self.java_.cached_bytes() + self.libcudf_.cached_bytes());
  now[deferred_bytes] = number(self.large_.deferred_bytes());
  now[page_bytes_in_use] = number(pages.used * page_arena::page_bytes);
  now[high_water_mark] = number(pages.most_used * page_arena::page_bytes);
  now[largest_free_run] = number(pages.largest_free_run * page_arena::page_bytes);
  now[host_alloc_count] = number(self.host_allocs_);
  now[leaked_blocks] =
      number(self.deferred_.unmarked_blocks() + self.libcudf_.lost_blocks() + self.lost_frees_);
  now[evictable_bytes] = number(self.evictable_.idle_bytes());
  now[evictions] = number(self.evictable_.evictions());
  now[evicted_bytes] = number(self.evictable_.evicted_bytes());
  now[startup_nanos] = self.filler_.startup_nanos();
  now[first_extent_nanos] = self.filler_.first_extent_nanos();
  now[fallback_bytes_held] = number(self.fallback_.held());
  now[fallback_limit] = number(self.fallback_.limit());
  now[wait_count] = number(waits.waits);
  now[wait_nanos] = number(waits.wait_nanos);
  now[timeouts] = number(waits.timeouts);
  for (auto const& heap : {self.java_.usage(), self.libcudf_.usage(), self.large_.usage()}) {
    now[bytes_in_use] += number(heap.in_use);
    now[allocations] += number(heap.allocations);
    now[frees] += number(heap.frees);
    now[requested_bytes] += number(heap.requested);
  }
  std::ranges::transform(self.fallbacks_, now.fallback_counts.begin(), number);
  std::ranges::transform(self.fallback_bytes_, now.fallback_bytes.begin(), number);
  return now;
}

}  // namespace mooring

#include "mooring/pool_stats.hpp"

#include <algorithm>
#include <iterator>

#include "mooring/pool.hpp"

namespace mooring {

namespace {

constexpr int any_node = -1, several_nodes = -2;
constexpr auto figure = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };

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
  auto const& nodes = options_.numa_nodes;
  auto const pages = arena_.usage();
  auto const waits = line_.figures();
  pool_snapshot now{
      .state = static_cast<std::int64_t>(starter_.state()),
      .numa_node = nodes.empty() ? any_node : nodes.size() > 1 ? several_nodes : nodes.front(),
      .target_bytes = figure(options_.size),
      .max_bytes = figure(memory_.bytes()),
      .capacity_bytes = figure(starter_.capacity()),
      .cached_bytes = figure(java_.cached_bytes() + libcudf_.cached_bytes()),
      .deferred_bytes = figure(large_.deferred_bytes()),
      .page_bytes_in_use = figure(pages.used * page_arena::page_bytes),
      .high_water_mark = figure(pages.most_used * page_arena::page_bytes),
      .largest_free_run = figure(pages.largest_free_run * page_arena::page_bytes),
      .host_alloc_count = figure(host_allocs_),
      .parked_blocks = figure(deferred_.unmarked_blocks() + libcudf_.lost_blocks() + lost_frees_),
      .startup_nanos = starter_.startup_nanos(),
      .first_chunk_nanos = starter_.first_chunk_nanos(),
      .fallback_bytes_held = figure(fallback_.held()),
      .fallback_limit = figure(fallback_.limit()),
      .wait_count = figure(waits.waits),
      .wait_nanos = figure(waits.wait_nanos),
      .timeouts = figure(waits.timeouts),
  };
  for (auto const& heap : {java_.usage(), libcudf_.usage(), large_.usage()}) {
    now.bytes_in_use += figure(heap.in_use);
    now.allocations += figure(heap.allocations);
    now.frees += figure(heap.frees);
    now.requested_bytes += figure(heap.requested);
  }
  std::transform(fallbacks_.begin(), fallbacks_.end(), now.fallback_counts.begin(), figure);
  std::transform(fallback_bytes_.begin(), fallback_bytes_.end(), now.fallback_bytes.begin(),
                 figure);
  return now;
}

}  // namespace mooring

#include "mooring/pool_stats.hpp"

#include "mooring/pool.hpp"

namespace mooring {

/// Writes figures into a snapshot by name.
class figures {
 public:
  explicit figures(pool_snapshot& out) : out_{out} {}
  void set(stat which, std::uint64_t value, int offset = 0) {
    out_[static_cast<std::size_t>(which) + static_cast<std::size_t>(offset)] =
        static_cast<std::int64_t>(value);
  }

 private:
  pool_snapshot& out_;
};

namespace {

struct heap_sums {
  std::uint64_t allocations = 0;
  std::uint64_t frees = 0;
  std::uint64_t granted = 0;
  std::uint64_t in_use = 0;
  std::uint64_t requested = 0;
  std::uint64_t cached = 0;
};

heap_sums sums_of(cache_totals const& t) {
  heap_sums sums;
  for (int c = 0; c < size_classes::count; ++c) {
    sums.allocations += t.allocations[c];
    sums.frees += t.frees[c];
    sums.granted += t.allocations[c] * size_classes::bytes(c);
    sums.in_use += (t.allocations[c] - t.frees[c]) * size_classes::bytes(c);
  }
  sums.requested = t.requested_bytes;
  sums.cached = t.cached_bytes;
  return sums;
}

int node_figure(std::vector<int> const& nodes) {
  constexpr int any = -1;
  constexpr int several = -2;
  if (nodes.empty()) return any;
  return nodes.size() == 1 ? nodes.front() : several;
}

}  // namespace

pool_snapshot pool::snapshot() const {
  pool_snapshot out{};
  figures f{out};
  set_memory(f);
  set_traffic(f);
  set_fallback(f);
  for (int i = 0; i < latency_histogram::bins; ++i)
    f.set(stat::latency_first, latency_.count(i), i);
  return out;
}

void pool::set_memory(figures& f) const {
  auto const usage = arena_.usage();
  f.set(stat::state, static_cast<std::uint64_t>(starter_.state()));
  f.set(stat::numa_node, static_cast<std::uint64_t>(node_figure(options_.numa_nodes)));
  f.set(stat::target_bytes, options_.size);
  f.set(stat::max_bytes, memory_.bytes());
  f.set(stat::capacity_bytes, starter_.capacity());
  f.set(stat::page_bytes_in_use, usage.used * page_arena::page_bytes);
  f.set(stat::high_water_mark, usage.most_used * page_arena::page_bytes);
  f.set(stat::largest_free_run, usage.largest_free_run * page_arena::page_bytes);
  f.set(stat::startup_nanos, static_cast<std::uint64_t>(starter_.startup_nanos()));
  f.set(stat::first_chunk_nanos, static_cast<std::uint64_t>(starter_.first_chunk_nanos()));
}

void pool::set_traffic(figures& f) const {
  auto const java = sums_of(java_.totals());
  auto const libcudf = sums_of(libcudf_.totals());
  auto const large = large_.usage();
  f.set(stat::bytes_in_use, java.in_use + libcudf.in_use + large.in_use);
  f.set(stat::cached_bytes, java.cached + libcudf.cached);
  f.set(stat::deferred_bytes, large.deferred);
  f.set(stat::allocations, java.allocations + libcudf.allocations + large.java_allocations +
                               large.libcudf_allocations);
  f.set(stat::frees, java.frees + libcudf.frees + large.frees);
  f.set(stat::libcudf_allocations, libcudf.allocations + large.libcudf_allocations);
  f.set(stat::parked_blocks, deferred_.unmarked_blocks() + libcudf_.lost_blocks() + lost_frees_);
  f.set(stat::requested_bytes, java.requested + libcudf.requested + large.requested);
  f.set(stat::granted_bytes, java.granted + libcudf.granted + large.granted);
}

void pool::set_fallback(figures& f) const {
  auto const waits = line_.figures();
  f.set(stat::host_alloc_count, host_allocs_);
  f.set(stat::host_alloc_bytes, host_alloc_bytes_);
  f.set(stat::fallback_bytes_held, fallback_.held());
  f.set(stat::fallback_limit, fallback_.limit());
  f.set(stat::wait_count, waits.waits);
  f.set(stat::wait_nanos, waits.wait_nanos);
  f.set(stat::timeouts, waits.timeouts);
  for (int i = 0; i < cause_count; ++i) {
    f.set(stat::fallback_count_first, fallbacks_[i], i);
    f.set(stat::fallback_bytes_first, fallback_bytes_[i], i);
  }
}

std::vector<std::int64_t> pool::cache_snapshot() const {
  std::vector<std::int64_t> out;
  java_.cached_bytes(out);
  libcudf_.cached_bytes(out);
  std::erase(out, 0);
  return out;
}

std::vector<std::int64_t> pool::class_snapshot() const {
  auto const java = java_.totals();
  auto const libcudf = libcudf_.totals();
  std::vector<std::int64_t> out;
  out.reserve(3 * size_classes::count);
  for (int c = 0; c < size_classes::count; ++c) {
    out.push_back(static_cast<std::int64_t>(size_classes::bytes(c)));
    out.push_back(static_cast<std::int64_t>(java.allocations[c] + libcudf.allocations[c]));
    out.push_back(static_cast<std::int64_t>(java.frees[c] + libcudf.frees[c]));
  }
  return out;
}

}  // namespace mooring

#include "mooring/pool_stats.hpp"

#include "mooring/pool.hpp"

namespace mooring {

namespace {

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

std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

}  // namespace

pool_snapshot pool::snapshot() const {
  pool_snapshot out{};
  figures f{out};
  auto const sum = [this](owned_counter cache_counters::*field) {
    return java_.sum(field) + libcudf_.sum(field);
  };
  auto const usage = arena_.usage();
  auto const fallback = fallback_.usage();
  // Frees first: read in this order, what is in use never seems negative.
  auto const freed = sum(&cache_counters::freed_bytes);
  auto const allocated = sum(&cache_counters::allocated_bytes);
  auto const flushed = sum(&cache_counters::flushed_bytes);
  auto const filled = sum(&cache_counters::filled_bytes);
  f.set(stat::state, static_cast<std::uint64_t>(starter_.state()));
  f.set(stat::numa_node, static_cast<std::uint64_t>(options_.numa_node));
  f.set(stat::target_bytes, options_.size);
  f.set(stat::max_bytes, memory_.bytes());
  f.set(stat::capacity_bytes, starter_.capacity());
  f.set(stat::bytes_in_use, difference(allocated, freed) + large_bytes_);
  f.set(stat::cached_bytes, difference(filled + freed, allocated + flushed));
  f.set(stat::deferred_bytes, deferred_bytes_);
  f.set(stat::page_bytes_in_use, usage.used * page_arena::page_bytes);
  f.set(stat::high_water_mark, usage.most_used * page_arena::page_bytes);
  f.set(stat::largest_free_run, usage.largest_free_run * page_arena::page_bytes);
  f.set(stat::allocations, sum(&cache_counters::allocations) + large_allocations_ + large_ordered_);
  f.set(stat::frees, sum(&cache_counters::frees) + large_frees_);
  f.set(stat::libcudf_allocations, libcudf_.sum(&cache_counters::allocations) + large_ordered_);
  f.set(stat::host_alloc_count, host_allocs_);
  f.set(stat::host_alloc_bytes, host_alloc_bytes_);
  f.set(stat::parked_blocks, libcudf_.parked_blocks() + large_parked_);
  f.set(stat::startup_nanos, static_cast<std::uint64_t>(starter_.startup_nanos()));
  f.set(stat::first_chunk_nanos, static_cast<std::uint64_t>(starter_.first_chunk_nanos()));
  f.set(stat::fallback_bytes_held, fallback.held);
  f.set(stat::fallback_limit, fallback_.limit());
  f.set(stat::wait_count, fallback.waits);
  f.set(stat::wait_nanos, fallback.wait_nanos);
  f.set(stat::timeouts, fallback.timeouts);
  f.set(stat::requested_bytes, sum(&cache_counters::requested_bytes) + large_requested_);
  f.set(stat::granted_bytes, allocated + large_granted_);
  for (int i = 0; i < cause_count; ++i) {
    f.set(stat::fallback_count_first, fallbacks_[i], i);
    f.set(stat::fallback_bytes_first, fallback_bytes_[i], i);
  }
  for (int i = 0; i < 32; ++i) f.set(stat::latency_first, latency_[i], i);
  return out;
}

}  // namespace mooring

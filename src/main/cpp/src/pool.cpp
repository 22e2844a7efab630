#include "mooring/pool.hpp"

#include <algorithm>
#include <utility>

namespace mooring {

namespace {

// Per cache. A thread of a small pool must not keep a large part of it from the others.
constexpr std::size_t largest_cache = 16UL << 20;
constexpr std::size_t cache_share = 64;

std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

std::size_t cache_limit(pool_options const& options) {
  return std::min(largest_cache, options.size / cache_share);
}

std::uint32_t pages_for(std::size_t bytes) {
  return static_cast<std::uint32_t>(round_up(bytes, page_arena::page_bytes) /
                                    page_arena::page_bytes);
}

}  // namespace

pool::pool(pool_options const& options, std::unique_ptr<fence_source> fences)
    : options_{options},
      memory_{round_up(std::max(options.size, options.max_size), slab::huge_page),
              options.numa_node},
      spans_{memory_.base(), memory_.bytes()},
      fences_{std::move(fences)},
      starter_{memory_, arena_, options.threads, options.device},
      java_{face::java, arena_, spans_, nullptr, cache_limit(options), options.checks},
      libcudf_{face::libcudf, arena_, spans_, fences_.get(), cache_limit(options), options.checks},
      fallback_{options.fallback_limit} {
  if (options.size > 0) starter_.start(options.size);
}

void* pool::allocate(std::size_t bytes, refusal_cause& cause) noexcept {
  auto* block = bytes <= size_classes::largest
                    ? allocate_small(java_, std::max(bytes, 1UL), nullptr)
                    : allocate_large(face::java, bytes);
  if (block == nullptr) cause = cause_of_refusal(bytes);
  return block;
}

void* pool::allocate_ordered(std::size_t bytes, stream_handle stream) noexcept {
  if (bytes <= size_classes::largest) {
    return allocate_small(libcudf_, std::max(bytes, 1UL), stream);
  }
  return allocate_large(face::libcudf, bytes);
}

void* pool::allocate_small(small_heap& heap, std::size_t bytes, stream_handle stream) {
  auto* block = heap.allocate(bytes, stream);
  if (block == nullptr && make_room()) block = heap.allocate(bytes, stream);
  return block;
}

void* pool::allocate_large(face owner, std::size_t bytes) {
  if (bytes > memory_.bytes()) return nullptr;
  auto const pages = pages_for(bytes);
  auto run = arena_.allocate(pages);
  if (!run && make_room()) run = arena_.allocate(pages);
  if (!run) return nullptr;
  auto const granted = pages * page_arena::page_bytes;
  auto* const s = new span{*run, span::large, owner, 1, granted, spans_.address_of(*run), 0, {}};
  spans_.enter(s);
  (owner == face::java ? large_allocations_ : large_ordered_)++;
  large_bytes_ += granted;
  large_requested_ += bytes;
  large_granted_ += granted;
  return s->base;
}

bool pool::free(void* address) noexcept {
  auto* const s = spans_.find(address);
  if (s == nullptr || s->owner != face::java) return false;
  if (s->size_class != span::large) return java_.free(*s, address, nullptr);
  if (address != s->base) return false;
  large_frees_++;
  large_bytes_ -= s->block_bytes;
  release_large(*s);
  return true;
}

bool pool::free_ordered(void* address, stream_handle stream) noexcept {
  auto* const s = spans_.find(address);
  if (s == nullptr || s->owner != face::libcudf) return false;
  if (s->size_class != span::large) return libcudf_.free(*s, address, stream);
  if (address != s->base) return false;
  large_frees_++;
  large_bytes_ -= s->block_bytes;
  defer_large(*s, stream);
  return true;
}

void pool::release_large(span& s) {
  auto const run = s.run;
  spans_.remove(s);
  delete &s;
  arena_.release(run);
}

void pool::defer_large(span& s, stream_handle stream) {
  if (fences_ == nullptr) {
    release_large(s);
    return;
  }
  auto* const handle = fences_->record(stream);
  if (handle == nullptr) {
    large_parked_++;
    return;
  }
  auto fence = std::make_shared<shared_fence>(*fences_, handle);
  deferred_bytes_ += s.block_bytes;
  std::lock_guard lock{deferred_mutex_};
  deferred_.push_back({&s, std::move(fence)});
}

bool pool::release_passed() {
  std::vector<deferred_run> candidates;
  {
    std::lock_guard lock{deferred_mutex_};
    candidates.swap(deferred_);
  }
  // Fences are asked outside the lock: asking is a CUDA call.
  auto const kept = std::partition(candidates.begin(), candidates.end(),
                                   [](auto const& d) { return !d.fence->passed(); });
  bool const any = kept != candidates.end();
  for (auto d = kept; d != candidates.end(); ++d) {
    deferred_bytes_ -= d->run->block_bytes;
    release_large(*d->run);
  }
  candidates.erase(kept, candidates.end());
  std::lock_guard lock{deferred_mutex_};
  std::move(candidates.begin(), candidates.end(), std::back_inserter(deferred_));
  return any;
}

bool pool::make_room() {
  if (starter_.capacity() == 0) return false;
  bool const deferred = release_passed();
  bool const java = java_.reclaim();
  bool const libcudf = libcudf_.reclaim();
  if (!deferred && !java && !libcudf) starter_.request_growth(1);
  return deferred || java || libcudf;
}

refusal_cause pool::cause_of_refusal(std::size_t bytes) const {
  auto const state = starter_.state();
  if (state == pool_state::off) return refusal_cause::off;
  if (state == pool_state::partial && starter_.capacity() == 0) return refusal_cause::refused;
  if (state == pool_state::starting) return refusal_cause::starting;
  auto const usage = arena_.usage();
  bool const enough = usage.total - usage.used >= pages_for(bytes);
  return enough ? refusal_cause::fragmented : refusal_cause::exhausted;
}

void pool::count_host_alloc(std::size_t bytes) noexcept {
  host_allocs_++;
  host_alloc_bytes_ += bytes;
}

void pool::count_fallback(refusal_cause cause, std::size_t bytes) noexcept {
  auto const index = static_cast<std::size_t>(cause) - 1;
  if (index >= cause_count) return;
  fallbacks_[index]++;
  fallback_bytes_[index] += bytes;
}

void pool::trim() {
  release_passed();
  java_.reclaim();
  libcudf_.reclaim();
  starter_.trim(options_.size);
}

namespace {
std::atomic<pool*> the_pool{nullptr};
std::mutex start_mutex;
}  // namespace

pool* process_pool() noexcept { return the_pool.load(std::memory_order_acquire); }

bool start_process_pool(pool_options const& options) {
  std::lock_guard lock{start_mutex};
  if (process_pool() != nullptr) return false;
  std::unique_ptr<fence_source> fences;
  if (options.device >= 0) fences = std::make_unique<cuda_fence_source>(options.device);
  // Leaked on purpose: libcudf and JVM threads free into it until the process is gone.
  the_pool.store(new pool{options, std::move(fences)}, std::memory_order_release);
  return true;
}

}  // namespace mooring

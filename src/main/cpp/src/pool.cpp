#include "mooring/pool.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace mooring {

namespace {

// Of the pool, that the caches of all threads together may keep for one face.
constexpr std::size_t cache_share = 64;

// What libcudf has in use beside a scan's tasks stays far below.
constexpr std::size_t least_reserve = 64UL << 20;
constexpr std::size_t reserve_share = 50;

// Beside threads that touch, registering takes longer with 1 GiB, and no less with 32 MiB.
constexpr std::size_t usual_chunk = 128UL << 20;
// Searches over all chunks hold the arena's lock: a pool has few enough.
constexpr std::size_t most_chunks = 128;
// A single registration of 512 GiB fails on current drivers.
constexpr std::size_t largest_chunk = 64UL << 30;

std::uint64_t reserve_pages(pool_options const& options) {
  auto const usual = std::max(least_reserve, options.size / reserve_share);
  return options.reserve.value_or(usual) / page_arena::page_bytes;
}

starter_options starter_options_of(pool_options const& options) {
  auto chunk = options.chunk_bytes;
  if (chunk == 0) chunk = std::max(usual_chunk, options.size / most_chunks);
  chunk = std::min(slab::rounded(chunk), largest_chunk);
  return {chunk, options.threads, options.pin_threads, options.numa_nodes};
}

std::unique_ptr<slab_source> source_for(int device) {
  if (device < 0) return std::make_unique<plain_slab_source>();
  return std::make_unique<registered_slab_source>(device);
}

pool_options checked(pool_options options) {
  // Twice what a process can address; also keeps page numbers within 32 bits.
  constexpr std::size_t most = 1UL << 47;
  if (options.size > most || options.max_size > most || options.fallback_limit > most) {
    throw std::invalid_argument{"The pool is larger than an address space"};
  }
  if (options.threads < 1 || options.pin_threads < 1) {
    throw std::invalid_argument{"The pool needs a thread to start it"};
  }
  options.max_size = slab::rounded(std::max(options.size, options.max_size));
  return options;
}

}  // namespace

pool::pool(pool_options const& options, std::unique_ptr<fence_source> fences,
           std::unique_ptr<slab_source> source)
    : options_{checked(options)},
      memory_{options_.max_size},
      arena_{reserve_pages(options_)},
      spans_{memory_.base(), memory_.bytes()},
      fences_{std::move(fences)},
      source_{source ? std::move(source) : source_for(options_.device)},
      borders_{memory_.base(), memory_.bytes()},
      starter_{memory_, arena_, borders_, *source_, starter_options_of(options_)},
      deferred_{fences_.get(), [this](void* block) { settle(block); }},
      java_{face::java, arena_, spans_, nullptr, options_.size / cache_share, options_.checks},
      libcudf_{face::libcudf,
               arena_,
               spans_,
               fences_ ? &deferred_ : nullptr,
               options_.size / cache_share,
               options_.checks},
      large_{arena_, spans_, fences_ ? &deferred_ : nullptr},
      fallback_{options_.fallback_limit, &line_} {
  if (options_.size > 0) starter_.start(options_.size);
}

void pool::settle(void* block) {
  auto& s = *spans_.find(block);
  if (s.size_class == span::large) return large_.put_idle(s);
  libcudf_.put_idle(s.size_class, &block, 1);
}

void* pool::allocate(std::size_t bytes, refusal_cause& cause) noexcept {
  // Who waits comes first, also where a small request would fit.
  if (!line_.empty()) {
    cause = refusal_cause::exhausted;
    return nullptr;
  }
  return allocate_in_turn(bytes, cause);
}

void* pool::allocate_in_turn(std::size_t bytes, refusal_cause& cause) noexcept {
  auto* const block = serve(face::java, bytes, nullptr);
  if (block == nullptr) cause = cause_of_refusal(bytes);
  return block;
}

void* pool::allocate_ordered(std::size_t bytes, stream_handle stream,
                             std::size_t alignment) noexcept {
  if (alignment > page_arena::page_bytes) return nullptr;
  return serve(face::libcudf, size_classes::aligned(std::max(bytes, 1UL), alignment), stream);
}

void* pool::serve(face owner, std::size_t bytes, stream_handle stream) noexcept try {
  if (bytes > memory_.bytes()) return nullptr;
  bytes = std::max(bytes, 1UL);
  if (auto* const block = try_serve(owner, bytes, stream)) return block;
  if (starter_.capacity() == 0) return nullptr;
  make_room();
  auto* const block = try_serve(owner, bytes, stream);
  if (block == nullptr) request_growth(owner, bytes);
  return block;
} catch (...) {
  // No memory for the pool's own records.
  return nullptr;
}

void* pool::try_serve(face owner, std::size_t bytes, stream_handle stream) {
  if (bytes <= size_classes::largest) return heap(owner).allocate(bytes, stream);
  return large_.allocate(owner, bytes);
}

bool pool::free(void* address) noexcept {
  bool const good = release(face::java, address, nullptr);
  line_.look();
  return good;
}

bool pool::free_ordered(void* address, stream_handle stream) noexcept {
  return release(face::libcudf, address, stream);
}

bool pool::release(face owner, void* address, stream_handle stream) noexcept try {
  auto* const s = spans_.find(address);
  if (s == nullptr || s->owner != owner) return false;
  if (s->size_class == span::large) return large_.free(*s, address, stream);
  return heap(owner).free(*s, address, stream);
} catch (...) {
  // No memory to remember the block by: it is lost, and never handed out too early.
  lost_frees_++;
  return true;
}

void pool::make_room() {
  deferred_.settle_passed();
  java_.drain_caches();
  libcudf_.drain_caches();
}

void pool::request_growth(face owner, std::size_t bytes) {
  // Memory that could not serve it either would be registered for nothing.
  auto const in_use = starter_.capacity() - arena_.free_pages(face::libcudf) * page_arena::page_bytes;
  auto const most = owner == face::java ? memory_.bytes() - in_use : starter_.chunk_bytes();
  bool const helps = owner == face::java || bytes > size_classes::largest;
  if (helps && bytes <= most) starter_.request_growth(bytes);
}

refusal_cause pool::cause_of_refusal(std::size_t bytes) const noexcept {
  auto const state = starter_.state();
  if (state == pool_state::off) return refusal_cause::off;
  if (state == pool_state::partial && starter_.capacity() == 0) return refusal_cause::refused;
  if (state == pool_state::starting) return refusal_cause::starting;
  bool const enough = arena_.free_pages(face::java) * page_arena::page_bytes >= bytes;
  return enough ? refusal_cause::fragmented : refusal_cause::exhausted;
}

void* pool::allocate_waiting(std::size_t bytes, refusal_cause cause,
                             std::chrono::milliseconds time) {
  if (bytes > std::max(fallback_.limit(), most_for_java())) return nullptr;
  auto* const block = line_.wait(bytes, time, [this](std::size_t wanted) {
    auto* const pageable = fallback_.allocate(wanted);
    auto ignored = refusal_cause::off;
    return pageable != nullptr ? pageable : allocate_in_turn(wanted, ignored);
  });
  if (block != nullptr && !owns(block)) count_fallback(cause, bytes);
  return block;
}

std::size_t pool::most_for_java() const {
  bool const complete = starter_.state() != pool_state::partial;
  auto const all = complete ? memory_.bytes() : starter_.capacity();
  return arena_.java_share(all / page_arena::page_bytes) * page_arena::page_bytes;
}

void pool::count_fallback(refusal_cause cause, std::size_t bytes) noexcept {
  auto const index = static_cast<std::size_t>(cause) - 1;
  if (index >= cause_count) return;
  fallbacks_[index]++;
  fallback_bytes_[index] += bytes;
}

void pool::trim() {
  fallback_.trim();
  make_room();
  // What was in use since the last call will be wanted again: registering costs far more than
  // keeping.
  auto const wanted = arena_.take_recent_peak() * page_arena::page_bytes;
  if (large_.usage().in_use > 0) return;
  deferred_.settle_unmarked();
  starter_.trim(std::max<std::size_t>(options_.size, wanted));
}

namespace {
std::atomic<pool*> the_pool{nullptr};
std::mutex start_mutex;
}  // namespace

pool* process_pool() noexcept { return the_pool.load(std::memory_order_acquire); }

bool start_process_pool(pool_options const& options, std::unique_ptr<slab_source> source) {
  std::lock_guard lock{start_mutex};
  if (process_pool() != nullptr) return false;
  std::unique_ptr<fence_source> fences;
  if (options.device >= 0) fences = std::make_unique<cuda_fence_source>(options.device);
  the_pool.store(new pool{options, std::move(fences), std::move(source)}, std::memory_order_release);
  return true;
}

}  // namespace mooring

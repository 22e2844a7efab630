// SPDX-License-Identifier: Apache-2.0

#include "mooring/pool.hpp"

#include <algorithm>
#include <utility>

#include "pool_impl.hpp"
#include "pool_sizing.hpp"

namespace mooring {

namespace {

// The part of the pool that the caches of all threads together may keep for one client.
constexpr std::size_t cache_share = 64;

std::unique_ptr<slab_source> source_for(int device) {
  if (device < 0) return std::make_unique<pageable_slab_source>();
  return std::make_unique<registered_slab_source>(device);
}

}  // namespace

pool_impl::pool_impl(pool_options const& options, std::unique_ptr<fence_source> fences,
                     std::unique_ptr<slab_source> source)
    : options_{checked(options)},
      memory_{options_.max_size},
      arena_{reserve_pages(options_)},
      spans_{memory_.base(), memory_.bytes()},
      fences_{std::move(fences)},
      source_{source ? std::move(source) : source_for(options_.device)},
      boundaries_{memory_.base(), memory_.bytes()},
      filler_{memory_, arena_, boundaries_, *source_, filler_options_of(options_)},
      deferred_{fences_.get(), [this](void* block) { settle(block); }},
      java_{client::java, arena_, spans_, nullptr, options_.size / cache_share, options_.checks},
      libcudf_{client::libcudf,
               arena_,
               spans_,
               fences_ ? &deferred_ : nullptr,
               options_.size / cache_share,
               options_.checks},
      large_{arena_, spans_, fences_ ? &deferred_ : nullptr},
      evictable_{spans_, large_},
      fallback_{options_.fallback_limit, &waiters_} {
  if (options_.size > 0) filler_.start(options_.size);
}

void pool_impl::settle(void* block) {
  auto& s = *spans_.find(block);
  if (s.size_class == span::large) return large_.put_idle(s);
  libcudf_.put_idle(s.size_class, &block, 1);
}

void* pool::allocate(std::size_t bytes, refusal_cause& cause) noexcept {
  auto& self = impl_of(*this);
  // Waiting callers come first, also where a small request would fit.
  if (!self.waiters_.empty()) {
    cause = refusal_cause::exhausted;
    return nullptr;
  }
  return self.allocate_in_turn(bytes, cause);
}

void* pool_impl::allocate_in_turn(std::size_t bytes, refusal_cause& cause) noexcept {
  auto* const block = serve(client::java, bytes, nullptr);
  if (block == nullptr) cause = cause_of_refusal(bytes);
  return block;
}

void* pool::allocate_ordered(std::size_t bytes, stream_handle stream,
                             std::size_t alignment) noexcept {
  if (alignment > page_arena::page_bytes) return nullptr;
  auto const aligned = size_classes::aligned(std::max(bytes, 1UL), alignment);
  return impl_of(*this).serve(client::libcudf, aligned, stream);
}

void* pool_impl::serve(client owner, std::size_t bytes, stream_handle stream) noexcept try {
  if (bytes > memory_.bytes()) return nullptr;
  bytes = std::max(bytes, 1UL);
  if (auto* const block = try_serve(owner, bytes, stream)) return block;
  if (filler_.capacity() == 0) return nullptr;
  if (auto* const block = serve_by_eviction(owner, bytes, stream)) return block;
  make_room();
  auto* const block = try_serve(owner, bytes, stream);
  if (block == nullptr) request_growth(owner, bytes);
  return block;
} catch (...) {
  // No memory for the pool's own records.
  return nullptr;
}

void* pool_impl::serve_by_eviction(client owner, std::size_t bytes, stream_handle stream) {
  if (evictable_.idle_bytes() == 0) return nullptr;
  auto const most = owner == client::java ? most_for_java() : filler_.extent_bytes();
  // Callers that evict at a time would take each other's room, and evict too little for all.
  std::lock_guard lock{evicting_};
  if (auto* const block = try_serve(owner, bytes, stream)) return block;
  // In this order: a block that is given back in between counts twice, and not as none.
  auto const evictable = evictable_.idle_bytes();
  auto const free = arena_.free_pages(owner) * page_arena::page_bytes;
  // Nothing is evicted for a request that could not be served even then.
  if (bytes > most || bytes > free + evictable) return nullptr;
  while (evictable_.evict(bytes)) {
    if (auto* const block = try_serve(owner, bytes, stream)) return block;
  }
  return nullptr;
}

void* pool_impl::try_serve(client owner, std::size_t bytes, stream_handle stream) {
  if (bytes <= size_classes::largest) return heap(owner).allocate(bytes, stream);
  return large_.allocate(owner, bytes);
}

bool pool::free(void* address) noexcept {
  auto& self = impl_of(*this);
  bool const good = self.release(client::java, address, nullptr);
  self.waiters_.notify();
  return good;
}

evictable_id pool::make_evictable(void* address) {
  auto& self = impl_of(*this);
  // Waiting callers need the memory more.
  if (!self.waiters_.empty()) return 0;
  auto const id = self.evictable_.add(address);
  self.waiters_.notify();
  return id;
}

bool pool::acquire_evictable(evictable_id id) noexcept {
  return impl_of(*this).evictable_.acquire(id);
}

void pool::release_evictable(evictable_id id) {
  auto& self = impl_of(*this);
  self.evictable_.release(id);
  self.waiters_.notify();
}

void pool::evict(evictable_id id) {
  auto& self = impl_of(*this);
  self.evictable_.remove(id);
  self.waiters_.notify();
}

std::vector<evictable_id> pool::take_evicted() { return impl_of(*this).evictable_.take_evicted(); }

bool pool::free_fallback(void* address) { return impl_of(*this).fallback_.free(address); }

bool pool::free_ordered(void* address, stream_handle stream) noexcept {
  return impl_of(*this).release(client::libcudf, address, stream);
}

bool pool_impl::release(client owner, void* address, stream_handle stream) noexcept try {
  auto* const s = spans_.find(address);
  if (s == nullptr || s->owner != owner) return false;
  if (s->size_class == span::large) return large_.free(*s, address, stream);
  return heap(owner).free(*s, address, stream);
} catch (...) {
  // No memory to remember the block by: it is lost, and never handed out too early.
  lost_frees_++;
  return true;
}

void pool_impl::make_room() {
  deferred_.settle_passed();
  java_.drain_caches();
  libcudf_.drain_caches();
}

void pool_impl::request_growth(client owner, std::size_t bytes) {
  // Growth that could not serve the request either would be for nothing. Evictable memory makes
  // room beside it.
  auto const in_use = filler_.capacity() - evictable_.idle_bytes() -
                      arena_.free_pages(client::libcudf) * page_arena::page_bytes;
  auto const most = owner == client::java ? memory_.bytes() - in_use : filler_.extent_bytes();
  bool const helps = owner == client::java || bytes > size_classes::largest;
  if (helps && bytes <= most) filler_.request_growth(bytes);
}

refusal_cause pool_impl::cause_of_refusal(std::size_t bytes) const noexcept {
  auto const state = filler_.state();
  if (state == pool_state::off) return refusal_cause::off;
  if (state == pool_state::partial && filler_.capacity() == 0) return refusal_cause::refused;
  if (state == pool_state::starting) return refusal_cause::starting;
  bool const enough = arena_.free_pages(client::java) * page_arena::page_bytes >= bytes;
  return enough ? refusal_cause::fragmented : refusal_cause::exhausted;
}

void* pool::allocate_waiting(std::size_t bytes, refusal_cause cause,
                             std::chrono::milliseconds time) {
  auto& self = impl_of(*this);
  if (bytes > std::max(self.fallback_.limit(), self.most_for_java())) return nullptr;
  auto* const block = self.waiters_.wait(bytes, time, [&self](std::size_t wanted) {
    auto* const pageable = self.fallback_.allocate(wanted);
    auto ignored = refusal_cause::off;
    return pageable != nullptr ? pageable : self.allocate_in_turn(wanted, ignored);
  });
  if (block != nullptr && !owns(block)) self.count_fallback(cause, bytes);
  return block;
}

std::size_t pool_impl::most_for_java() const {
  bool const complete = filler_.state() != pool_state::partial;
  auto const all = complete ? memory_.bytes() : filler_.capacity();
  return arena_.java_share(all / page_arena::page_bytes) * page_arena::page_bytes;
}

void pool_impl::count_fallback(refusal_cause cause, std::size_t bytes) noexcept {
  auto const index = static_cast<std::size_t>(cause) - 1;
  if (index >= cause_count) return;
  fallbacks_[index]++;
  fallback_bytes_[index] += bytes;
}

void pool::count_host_alloc() noexcept { impl_of(*this).host_allocs_++; }

bool pool::owns(void const* address) const noexcept { return impl_of(*this).spans_.owns(address); }

std::size_t pool::max_copy_bytes(void const* address, std::size_t bytes) const noexcept {
  return impl_of(*this).boundaries_.max_copy_bytes(address, bytes);
}

void pool::trim() {
  auto& self = impl_of(*this);
  self.fallback_.trim();
  self.make_room();
  // Memory that was in use since the last call will be wanted again: registering costs far more
  // than keeping.
  auto const wanted = self.arena_.take_recent_peak() * page_arena::page_bytes;
  if (self.large_.usage().in_use > 0) return;
  auto const remaining = std::max<std::size_t>(self.options_.size, wanted);
  self.evictable_.evict_from(self.memory_.base() + std::min(remaining, self.memory_.bytes()));
  self.deferred_.settle_unmarked();
  self.filler_.trim(remaining);
}

bool pool::await_filled(std::chrono::milliseconds time) {
  return impl_of(*this).filler_.await(time);
}

std::string pool::refusal() const { return impl_of(*this).filler_.refusal(); }

std::vector<registration> pool::take_registrations() {
  return impl_of(*this).filler_.take_registrations();
}

}  // namespace mooring

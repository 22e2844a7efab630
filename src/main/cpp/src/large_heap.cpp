// SPDX-License-Identifier: Apache-2.0

#include "large_heap.hpp"

#include "thread_cache.hpp"

namespace mooring {

void* large_heap::allocate(client owner, std::size_t bytes) {
  auto const pages = page_arena::pages_for(bytes);
  // Before the run is taken, so that a failure here loses nothing.
  auto s = std::make_unique<span>();
  // libcudf copies its blocks itself, and would not cut a copy at a border.
  auto const use = owner == client::java ? run_use::long_buffer : run_use::one_block;
  auto const run = arena_.allocate(owner, pages, use, thread_node());
  if (!run) return nullptr;
  auto const granted = pages * page_arena::page_bytes;
  s->run = *run;
  s->owner = owner;
  s->block_bytes = granted;
  s->base = spans_.address_of(*run);
  s->large_in_use = true;
  auto* const base = s->base;
  spans_.enter(s.release());
  allocations_++;
  in_use_ += granted;
  requested_ += bytes;
  return base;
}

bool large_heap::free(span& s, void* address, stream_handle stream) {
  if (address != s.base || !s.large_in_use.exchange(false)) return false;
  frees_++;
  in_use_ -= s.block_bytes;
  if (s.owner == client::java || deferred_ == nullptr) {
    release(s);
    return true;
  }
  // First, because the block may be settled, and its span gone, as soon as it is added.
  deferred_bytes_ += s.block_bytes;
  deferred_->add_one(address, {stream, thread_device()});
  return true;
}

void large_heap::put_idle(span& s) {
  deferred_bytes_ -= s.block_bytes;
  release(s);
}

void large_heap::release(span& s) {
  auto const owner = s.owner;
  arena_.release(owner, forget(s));
}

page_run large_heap::forget(span& s) {
  auto const run = s.run;
  spans_.remove(s);
  delete &s;
  return run;
}

bool large_heap::lend(span& s, void* address) {
  if (address != s.base || !s.large_in_use.exchange(false)) return false;
  lend_again(s);
  return true;
}

void large_heap::lend_again(span& s) {
  in_use_ -= s.block_bytes;
  arena_.set_evictable(s.run, true);
}

void large_heap::reclaim(span& s) {
  in_use_ += s.block_bytes;
  arena_.set_evictable(s.run, false);
}

void large_heap::evict(span& s) {
  frees_++;
  arena_.release_evictable(forget(s));
}

heap_usage large_heap::usage() const {
  auto const frees = frees_.load();
  return {.allocations = allocations_, .frees = frees, .requested = requested_, .in_use = in_use_};
}

}  // namespace mooring

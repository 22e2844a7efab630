#include "mooring/large_heap.hpp"

#include <algorithm>
#include <utility>

#include "mooring/thread_cache.hpp"

namespace mooring {

void* large_heap::allocate(face owner, std::size_t bytes) {
  auto const pages = page_arena::pages_for(bytes);
  // Before the run is taken, so that a failure here loses nothing.
  auto s = std::make_unique<span>();
  // libcudf copies its blocks itself, and would not cut a copy at a border.
  auto const between = owner == face::java ? borders::crossed : borders::kept;
  auto const run = arena_.allocate(pages, thread_node(), between);
  if (!run) return nullptr;
  auto const granted = pages * page_arena::page_bytes;
  s->run = *run;
  s->owner = owner;
  s->block_bytes = granted;
  s->base = spans_.address_of(*run);
  s->large_in_use = true;
  auto* const base = s->base;
  spans_.enter(s.release());
  (owner == face::java ? java_allocations_ : libcudf_allocations_)++;
  in_use_ += granted;
  requested_ += bytes;
  granted_ += granted;
  return base;
}

bool large_heap::free(span& s, void* address, stream_handle stream) {
  if (address != s.base || !s.large_in_use.exchange(false)) return false;
  frees_++;
  in_use_ -= s.block_bytes;
  if (s.owner == face::java || fences_ == nullptr) {
    release(s);
  } else {
    defer(s, stream);
  }
  return true;
}

void large_heap::release(span& s) {
  auto const run = s.run;
  spans_.remove(s);
  delete &s;
  arena_.release(run);
}

void large_heap::defer(span& s, stream_handle stream) {
  auto* const handle = fences_->record({stream, thread_device()});
  if (handle == nullptr) {
    // Nobody can tell when it is idle: better lost than handed out too early.
    parked_++;
    return;
  }
  auto fence = std::make_shared<shared_fence>(*fences_, handle);
  deferred_bytes_ += s.block_bytes;
  std::lock_guard lock{deferred_mutex_};
  deferred_.push_back({&s, std::move(fence)});
}

bool large_heap::release_passed() {
  std::vector<deferred_run> candidates;
  {
    std::lock_guard lock{deferred_mutex_};
    candidates.swap(deferred_);
  }
  // Fences are asked outside the lock: asking is a CUDA call.
  auto const passed = std::partition(candidates.begin(), candidates.end(),
                                     [](auto const& d) { return !d.fence->passed(); });
  bool const any = passed != candidates.end();
  for (auto d = passed; d != candidates.end(); ++d) {
    deferred_bytes_ -= d->run->block_bytes;
    release(*d->run);
  }
  candidates.erase(passed, candidates.end());
  std::lock_guard lock{deferred_mutex_};
  std::move(candidates.begin(), candidates.end(), std::back_inserter(deferred_));
  return any;
}

large_usage large_heap::usage() const {
  auto const frees = frees_.load();
  return {java_allocations_, libcudf_allocations_, frees,    in_use_,
          deferred_bytes_,   requested_,           granted_, parked_};
}

}  // namespace mooring

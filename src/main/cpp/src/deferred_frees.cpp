// SPDX-License-Identifier: Apache-2.0

#include "deferred_frees.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mooring {

void deferred_frees::settle(batch const& done) {
  for (auto* const block : done.blocks) settle_(block);
}

void deferred_frees::add(std::vector<void*> blocks, device_stream freed_on) {
  // All memory is had before the mark, so that a failure loses neither.
  std::list<batch> one;
  one.push_back({std::move(blocks), freed_on.device, nullptr});
  auto& entry = one.front();
  auto* const handle = fences_ == nullptr ? nullptr : fences_->record(freed_on);
  if (handle != nullptr) entry.waits_for = {handle, [this](void* h) { fences_->recycle(h); }};
  std::lock_guard const lock{mutex_};
  if (fences_ == nullptr) return settle(entry);
  if (entry.waits_for == nullptr) {
    unmarked_ += entry.blocks.size();
    unmarkable_.splice(unmarkable_.end(), one);
    return;
  }
  marked_.splice(marked_.end(), one);
  batches_.store(marked_.size(), std::memory_order_relaxed);
}

std::vector<deferred_frees::mark> deferred_frees::oldest_marks(std::size_t most) {
  std::vector<mark> marks;
  marks.reserve(std::min(most, batches()));
  std::lock_guard const lock{mutex_};
  for (auto const& b : marked_) {
    if (marks.size() == marks.capacity()) break;
    marks.push_back(b.waits_for);
  }
  return marks;
}

void deferred_frees::settle_passed(std::size_t most) {
  if (batches() == 0) return;
  auto asked = oldest_marks(most);
  // Asking is a CUDA call: not under the lock. Who looks meanwhile still finds all batches here.
  auto const passed = std::partition(asked.begin(), asked.end(),
                                     [this](auto const& m) { return fences_->passed(m.get()); });
  std::list<batch> settled;
  std::list<batch> later;
  std::unique_lock lock{mutex_};
  // All of them are in front, but for those that another thread has settled meanwhile.
  auto left = asked.size();
  for (auto b = marked_.begin(); b != marked_.end() && left > 0;) {
    auto const found = std::find(asked.begin(), asked.end(), b->waits_for);
    auto const here = b++;
    if (found == asked.end()) continue;
    --left;
    if (found < passed) settle(*here);
    auto& to = found < passed ? settled : later;
    to.splice(to.end(), marked_, here);
  }
  marked_.splice(marked_.end(), later);
  batches_.store(marked_.size(), std::memory_order_relaxed);
  lock.unlock();
  // Settled batches are destroyed at the end of the scope, after the lock: marks return to their
  // source.
}

void deferred_frees::settle_unmarked() {
  std::list<batch> waiting;
  {
    std::lock_guard const lock{mutex_};
    waiting.swap(unmarkable_);
  }
  for (auto b = waiting.begin(); b != waiting.end();) {
    auto const here = b++;
    if (!fences_->drain(here->device)) continue;
    std::lock_guard const lock{mutex_};
    unmarked_ -= here->blocks.size();
    settle(*here);
    waiting.erase(here);
  }
  std::lock_guard const lock{mutex_};
  unmarkable_.splice(unmarkable_.end(), waiting);
}

}  // namespace mooring

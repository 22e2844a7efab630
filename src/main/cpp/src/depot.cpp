#include "mooring/depot.hpp"

#include <utility>

namespace mooring {

namespace {

// A miss costs an event query each: past these a fresh span is cheaper.
constexpr int most_tries = 8;
// The lock is held for less time than a thread takes to fall asleep and wake up.
constexpr int most_spins = 100;

std::unique_lock<std::mutex> lock_soon(std::mutex& mutex) {
  std::unique_lock lock{mutex, std::defer_lock};
  for (int spins = 0; spins < most_spins; ++spins) {
    if (lock.try_lock()) return lock;
    __builtin_ia32_pause();
  }
  lock.lock();
  return lock;
}

magazine_ptr take_head(magazine_ptr& list) {
  auto head = std::move(list);
  if (head != nullptr) list = std::move(head->next);
  return head;
}

void add_head(magazine_ptr& list, magazine_ptr m) {
  m->next = std::move(list);
  list = std::move(m);
}

}  // namespace

magazine_ptr depot_shard::put(magazine_ptr full) {
  auto const lock = lock_soon(mutex_);
  count_.store(count() + 1, std::memory_order_relaxed);
  if (first_ == nullptr) last_ = full.get();
  if (full->fence == nullptr || first_ == nullptr) {
    add_head(first_, std::move(full));
  } else {
    auto* const behind = full.get();
    last_->next = std::move(full);
    last_ = behind;
  }
  return take_head(empties_);
}

magazine_ptr depot_shard::pop(magazine_ptr& empty) {
  auto const lock = lock_soon(mutex_);
  auto first = take_first();
  if (first != nullptr && empty != nullptr) add_head(empties_, std::move(empty));
  return first;
}

magazine_ptr depot_shard::take_first() {
  auto first = take_head(first_);
  if (first != nullptr) count_.store(count() - 1, std::memory_order_relaxed);
  return first;
}

void depot_shard::drain(std::vector<magazine_ptr>& to) {
  auto const lock = lock_soon(mutex_);
  while (auto full = take_first()) to.push_back(std::move(full));
  // One by one: a long list would be given back recursively.
  while (take_head(empties_) != nullptr) {
  }
}

magazine_ptr depot::put(magazine_ptr full, std::uint32_t thread) {
  return shards_[thread % shards].put(std::move(full));
}

magazine_ptr depot::take_ready(std::uint32_t& shard, magazine_ptr& empty) {
  int tries = 0;
  for (std::uint32_t i = 0; i < shards; ++i) {
    auto const candidate = (shard + i) % shards;
    auto found = take_ready_of(shards_[candidate], tries, empty);
    if (found == nullptr) continue;
    shard = candidate;
    return found;
  }
  return nullptr;
}

magazine_ptr depot::take_ready_of(depot_shard& from, int& tries, magazine_ptr& empty) {
  for (auto left = from.count(); left > 0 && tries < most_tries; --left) {
    auto candidate = from.pop(empty);
    if (candidate == nullptr || candidate->ready()) return candidate;
    ++tries;
    empty = from.put(std::move(candidate));
  }
  return nullptr;
}

std::vector<magazine_ptr> depot::take_all() {
  std::vector<magazine_ptr> all;
  for (auto& s : shards_) s.drain(all);
  return all;
}

}  // namespace mooring

#include "mooring/depot.hpp"

#include <mutex>
#include <utility>

namespace mooring {

namespace {

// A miss costs an event query each: past these a fresh span is cheaper.
constexpr int most_tries = 8;

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
  std::lock_guard const lock{lock_};
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
  std::lock_guard const lock{lock_};
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
  std::lock_guard const lock{lock_};
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

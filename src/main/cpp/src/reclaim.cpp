#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "mooring/small_heap.hpp"

namespace mooring {

namespace {

using idle_blocks = std::vector<std::pair<span*, void*>>;

/// Moves the blocks of ready magazines to `idle`, counted by span; gives back the other magazines.
/// True when there were others.
bool collect(depot& from, span_table const& spans, idle_blocks& idle) {
  bool others = false;
  for (auto& m : from.take_all()) {
    if (!m->ready()) {
      others = true;
      from.put(std::move(m), 0);
      continue;
    }
    for (std::uint32_t i = 0; i < m->count; ++i) {
      auto* const s = spans.find(m->blocks[i]);
      ++s->idle;
      idle.emplace_back(s, m->blocks[i]);
    }
  }
  return others;
}

/// Puts blocks of spans that are still in use back, packed into magazines.
void put_back(depot& to, idle_blocks const& kept, std::uint32_t magazine_size) {
  for (std::size_t next = 0; next < kept.size();) {
    auto full = std::make_unique<magazine>();
    while (next < kept.size() && full->count < magazine_size) {
      full->blocks[full->count++] = kept[next++].second;
    }
    to.put(std::move(full), static_cast<std::uint32_t>(next));
  }
}

}  // namespace

bool small_heap::reclaim() {
  std::unique_lock lock{reclaim_mutex_, std::try_to_lock};
  if (!lock) {
    // Another thread is at it: what it finds serves this one too.
    lock.lock();
    return true;
  }
  bool any = false;
  for (int c = 0; c < size_classes::count; ++c) {
    if (worth_reclaiming_[c].exchange(false)) any = reclaim_class(c) || any;
  }
  return any;
}

bool small_heap::reclaim_class(int size_class) {
  idle_blocks idle;
  if (collect(depots_[size_class], spans_, idle)) worth_reclaiming_[size_class] = true;
  std::unordered_set<span*> whole;
  auto const kept_end = std::partition(idle.begin(), idle.end(), [&](auto const& entry) {
    bool const all_idle = entry.first->idle == entry.first->blocks;
    if (all_idle) whole.insert(entry.first);
    return !all_idle;
  });
  for (auto const& entry : idle) entry.first->idle = 0;
  idle.erase(kept_end, idle.end());
  put_back(depots_[size_class], idle, magazine_blocks(size_class));
  for (auto* const s : whole) {
    auto const run = s->run;
    spans_.remove(*s);
    delete s;
    arena_.release(run);
  }
  return !whole.empty();
}

}  // namespace mooring

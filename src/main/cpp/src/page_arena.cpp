// SPDX-License-Identifier: Apache-2.0

#include "page_arena.hpp"

#include <algorithm>
#include <utility>

namespace mooring {

void page_arena::add_extent(page_run extent, int node, bool grown) {
  std::lock_guard lock{mutex_};
  extents_[extent.first] = {extent.pages, node, grown};
  total_ += extent.pages;
  insert_free(extent);
}

bool page_arena::remove_extent(page_run extent) {
  std::lock_guard lock{mutex_};
  auto const run = free_by_first_.find(extent.first);
  if (run == free_by_first_.end() || run->second != extent.pages) return false;
  erase_free(run);
  extents_.erase(extent.first);
  total_ -= extent.pages;
  return true;
}

std::optional<page_run> page_arena::best_fit(std::uint32_t pages, bool also_grown, int near) const {
  std::optional<page_run> best;
  bool best_is_near = false;
  for (auto const& [kind, free] : free_by_size_) {
    auto const [node, grown] = kind;
    if (grown && !also_grown) continue;
    auto const fit = free.lower_bound({pages, 0});
    if (fit == free.end()) continue;
    bool const is_near = node == near;
    bool const better = is_near == best_is_near ? !best || fit->first < best->pages : is_near;
    if (!better) continue;
    best = {fit->second, fit->first};
    best_is_near = is_near;
  }
  return best;
}

bool page_arena::may_have(client owner, std::uint32_t pages) const {
  if (total_ - used_ < pages) return false;
  return owner == client::libcudf || used_by_java_ + pages <= java_share(total_);
}

std::uint32_t page_arena::free_from(std::uint32_t page) const {
  auto const run = free_by_first_.find(page);
  return run == free_by_first_.end() ? 0 : run->second;
}

page_run page_arena::free_until(std::uint32_t page) const {
  auto const next = free_by_first_.lower_bound(page);
  if (next == free_by_first_.begin()) return {page, 0};
  auto const [first, pages] = *std::prev(next);
  return first + pages == page ? page_run{first, pages} : page_run{page, 0};
}

template <typename Use>
void page_arena::for_each_adjacent_free(node_boundaries nodes, Use use) const {
  page_run run{0, 0};
  int node = -1;
  for (auto const& [first, extent] : extents_) {
    auto const free = free_from(first);
    bool const same = node == extent.node || nodes == node_boundaries::crossed;
    if (run.first + run.pages != first || free == 0 || !same) {
      use(run, node);
      run = {first, 0};
      node = extent.node;
    }
    run.pages += free;
    if (free == extent.pages) continue;
    use(run, node);
    run = free_until(first + extent.pages);
    node = extent.node;
  }
  use(run, node);
}

std::optional<page_run> page_arena::best_adjacent(std::uint32_t pages, int near) const {
  std::optional<page_run> of_near;
  std::optional<page_run> of_one;
  std::optional<page_run> of_any;
  auto const keep = [pages](std::optional<page_run>& best, page_run run) {
    if (run.pages >= pages && (!best || run.pages < best->pages)) best = run;
  };
  for_each_adjacent_free(node_boundaries::respected, [&](page_run run, int node) {
    keep(of_one, run);
    if (node == near) keep(of_near, run);
  });
  if (of_near) return of_near;
  if (of_one) return of_one;
  for_each_adjacent_free(node_boundaries::crossed, [&](page_run run, int) { keep(of_any, run); });
  return of_any;
}

std::optional<page_run> page_arena::allocate(client owner, std::uint32_t pages, run_use use,
                                             int near) {
  std::lock_guard lock{mutex_};
  if (!may_have(owner, pages)) return std::nullopt;
  // Small blocks of libcudf may stay in an idle thread's cache, so no grown extent may hold them.
  bool const may_stay = owner == client::libcudf && use == run_use::small_blocks;
  auto fit = best_fit(pages, !may_stay, near);
  if (!fit && use == run_use::long_buffer) fit = best_adjacent(pages, near);
  if (!fit) return std::nullopt;
  // Small and large at two ends, so that small ones, which stay longer, do not cut up what is free.
  auto const skipped = use == run_use::small_blocks ? fit->pages - pages : 0;
  page_run const run{fit->first + skipped, pages};
  take(*fit, run);
  used_ += pages;
  if (owner == client::java) used_by_java_ += pages;
  note_peak();
  return run;
}

void page_arena::note_peak() {
  most_used_ = std::max(most_used_, used_ - evictable_);
  recently_most_used_ = std::max(recently_most_used_, used_ - evictable_);
}

void page_arena::take(page_run free, page_run run) {
  auto const end = run.first + run.pages;
  for (auto at = free.first; at < end;) {
    auto const next = free_by_first_.find(at);
    at += next->second;
    erase_free(next);
    if (at > end) insert_free({end, at - end});
  }
  if (free.first < run.first) insert_free({free.first, run.first - free.first});
}

void page_arena::release(client owner, page_run run) {
  std::lock_guard lock{mutex_};
  put_back(owner, run);
}

void page_arena::set_evictable(page_run run, bool evictable) {
  std::lock_guard lock{mutex_};
  evictable_ = evictable ? evictable_ + run.pages : evictable_ - run.pages;
  note_peak();
}

void page_arena::release_evictable(page_run run) {
  std::lock_guard lock{mutex_};
  evictable_ -= run.pages;
  put_back(client::java, run);
}

void page_arena::put_back(client owner, page_run run) {
  used_ -= run.pages;
  if (owner == client::java) used_by_java_ -= run.pages;
  auto const end = run.first + run.pages;
  for (auto at = run.first; at < end;) {
    auto const next = std::min(end, extent_end(at));
    give_back({at, next - at});
    at = next;
  }
}

void page_arena::give_back(page_run run) {
  auto next = free_by_first_.lower_bound(run.first);
  if (next != free_by_first_.begin() && !is_boundary(run.first)) {
    auto const before = std::prev(next);
    if (before->first + before->second == run.first) {
      run = {before->first, before->second + run.pages};
      erase_free(before);
    }
  }
  if (next != free_by_first_.end() && run.first + run.pages == next->first &&
      !is_boundary(next->first)) {
    run.pages += next->second;
    erase_free(next);
  }
  insert_free(run);
}

arena_usage page_arena::usage() const {
  std::lock_guard lock{mutex_};
  std::uint32_t largest = 0;
  for (auto const& [kind, free] : free_by_size_) {
    if (!free.empty()) largest = std::max(largest, free.rbegin()->first);
  }
  for_each_adjacent_free(node_boundaries::crossed,
                         [&](page_run run, int) { largest = std::max(largest, run.pages); });
  return {total_, used_ - evictable_, most_used_, largest};
}

std::uint64_t page_arena::free_pages(client owner) const {
  std::lock_guard lock{mutex_};
  auto const free = total_ - used_;
  if (owner == client::libcudf) return free;
  // Java may have more already than its share, of a pool that has shrunk.
  auto const share = java_share(total_);
  return std::min(free, share - std::min(share, used_by_java_));
}

std::uint64_t page_arena::take_recent_peak() {
  std::lock_guard lock{mutex_};
  return std::exchange(recently_most_used_, used_ - evictable_);
}

// A run is taken before its rest is put back: with the nodes kept, no memory is needed for that,
// and none can be refused half-way.
void page_arena::insert_free(page_run run) {
  auto& sizes = free_by_size_[kind_of(run.first)];
  if (spare_run_.empty()) {
    auto const size = sizes.insert({run.pages, run.first}).first;
    try {
      free_by_first_[run.first] = run.pages;
    } catch (...) {
      sizes.erase(size);
      throw;
    }
    return;
  }
  spare_run_.key() = run.first;
  spare_run_.mapped() = run.pages;
  spare_size_.value() = {run.pages, run.first};
  free_by_first_.insert(std::move(spare_run_));
  sizes.insert(std::move(spare_size_));
}

void page_arena::erase_free(free_map::iterator run) {
  spare_size_ = free_by_size_[kind_of(run->first)].extract({run->second, run->first});
  spare_run_ = free_by_first_.extract(run);
}

}  // namespace mooring

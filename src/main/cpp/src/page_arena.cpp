#include "mooring/page_arena.hpp"

#include <algorithm>
#include <utility>

namespace mooring {

void page_arena::add_extent(page_run extent, int node) {
  std::lock_guard lock{mutex_};
  extents_[extent.first] = {extent.pages, node};
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

std::optional<page_run> page_arena::best_fit(std::uint32_t pages, int near) const {
  std::optional<page_run> best;
  for (auto const& [node, free] : free_by_size_) {
    auto const fit = free.lower_bound({pages, 0});
    if (fit == free.end()) continue;
    if (!best || node == near || fit->first < best->pages) best = {fit->second, fit->first};
    if (node == near) break;
  }
  return best;
}

std::optional<page_run> page_arena::allocate(std::uint32_t pages, int near) {
  std::lock_guard lock{mutex_};
  auto const fit = best_fit(pages, near);
  if (!fit) return std::nullopt;
  auto const [first, available] = *fit;
  erase_free(free_by_first_.find(first));
  if (available > pages) insert_free({first + pages, available - pages});
  used_ += pages;
  most_used_ = std::max(most_used_, used_);
  recently_most_used_ = std::max(recently_most_used_, used_);
  return page_run{first, pages};
}

void page_arena::release(page_run run) {
  std::lock_guard lock{mutex_};
  used_ -= run.pages;
  auto next = free_by_first_.lower_bound(run.first);
  if (next != free_by_first_.begin() && !is_border(run.first)) {
    auto const before = std::prev(next);
    if (before->first + before->second == run.first) {
      run = {before->first, before->second + run.pages};
      erase_free(before);
    }
  }
  if (next != free_by_first_.end() && run.first + run.pages == next->first &&
      !is_border(next->first)) {
    run.pages += next->second;
    erase_free(next);
  }
  insert_free(run);
}

arena_usage page_arena::usage() const {
  std::lock_guard lock{mutex_};
  std::uint32_t largest = 0;
  for (auto const& [node, free] : free_by_size_) {
    if (!free.empty()) largest = std::max(largest, free.rbegin()->first);
  }
  return {total_, used_, most_used_, largest};
}

std::uint64_t page_arena::take_recent_peak() {
  std::lock_guard lock{mutex_};
  return std::exchange(recently_most_used_, used_);
}

void page_arena::insert_free(page_run run) {
  free_by_first_[run.first] = run.pages;
  free_by_size_[node_of(run.first)].insert({run.pages, run.first});
}

void page_arena::erase_free(free_map::iterator run) {
  free_by_size_[node_of(run->first)].erase({run->second, run->first});
  free_by_first_.erase(run);
}

}  // namespace mooring

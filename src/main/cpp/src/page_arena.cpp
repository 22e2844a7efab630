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
void page_arena::for_each_row(borders of_nodes, Use use) const {
  page_run row{0, 0};
  int node = -1;
  for (auto const& [first, extent] : extents_) {
    auto const free = free_from(first);
    bool const same = node == extent.node || of_nodes == borders::crossed;
    if (row.first + row.pages != first || free == 0 || !same) {
      use(row, node);
      row = {first, 0};
      node = extent.node;
    }
    row.pages += free;
    if (free == extent.pages) continue;
    use(row, node);
    row = free_until(first + extent.pages);
    node = extent.node;
  }
  use(row, node);
}

std::optional<page_run> page_arena::best_row(std::uint32_t pages, int near) const {
  std::optional<page_run> of_near;
  std::optional<page_run> of_one;
  std::optional<page_run> of_any;
  auto const keep = [pages](std::optional<page_run>& best, page_run row) {
    if (row.pages >= pages && (!best || row.pages < best->pages)) best = row;
  };
  for_each_row(borders::kept, [&](page_run row, int node) {
    keep(of_one, row);
    if (node == near) keep(of_near, row);
  });
  if (of_near) return of_near;
  if (of_one) return of_one;
  for_each_row(borders::crossed, [&](page_run row, int) { keep(of_any, row); });
  return of_any;
}

std::optional<page_run> page_arena::allocate(std::uint32_t pages, int near, borders between) {
  std::lock_guard lock{mutex_};
  auto fit = best_fit(pages, near);
  bool const enough = total_ - used_ >= pages;
  if (!fit && enough && between == borders::crossed) fit = best_row(pages, near);
  if (!fit) return std::nullopt;
  page_run const run{fit->first, pages};
  take(run);
  used_ += pages;
  most_used_ = std::max(most_used_, used_);
  recently_most_used_ = std::max(recently_most_used_, used_);
  return run;
}

void page_arena::take(page_run run) {
  auto const end = run.first + run.pages;
  for (auto at = run.first; at < end;) {
    auto const free = free_by_first_.find(at);
    at += free->second;
    erase_free(free);
    if (at > end) insert_free({end, at - end});
  }
}

void page_arena::release(page_run run) {
  std::lock_guard lock{mutex_};
  used_ -= run.pages;
  auto const end = run.first + run.pages;
  for (auto at = run.first; at < end;) {
    auto const next = std::min(end, extent_end(at));
    give_back({at, next - at});
    at = next;
  }
}

void page_arena::give_back(page_run run) {
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
  for_each_row(borders::crossed,
               [&](page_run row, int) { largest = std::max(largest, row.pages); });
  return {total_, used_, most_used_, largest};
}

std::uint64_t page_arena::free_pages() const {
  std::lock_guard lock{mutex_};
  return total_ - used_;
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

// SPDX-License-Identifier: Apache-2.0

#include "pool_filler.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "node_shares.hpp"
#include "page_toucher.hpp"

namespace mooring {

namespace {

// The first buffer is served after one small extent; each next one is twice as large.
constexpr std::size_t first_extent = 16UL << 20;
constexpr std::size_t most_growth = 1UL << 30;
constexpr std::chrono::milliseconds longest_pause = std::chrono::minutes{10};

std::vector<extent> cut(std::size_t from, std::size_t to, std::size_t first, std::size_t largest) {
  std::vector<extent> extents;
  auto size = std::min(first, largest);
  for (auto at = from; at < to;) {
    extents.push_back({.offset = at, .bytes = std::min(size, to - at)});
    at += extents.back().bytes;
    size = std::min(2 * size, largest);
  }
  return extents;
}

bool before(extent a, extent b) { return a.offset < b.offset; }

page_run run_of(extent e) {
  return {static_cast<std::uint32_t>(e.offset / page_arena::page_bytes),
          static_cast<std::uint32_t>(e.bytes / page_arena::page_bytes)};
}

}  // namespace

void pool_filler::start(std::size_t bytes) {
  {
    std::lock_guard lock{mutex_};
    started_ = std::chrono::steady_clock::now();
    wanted_ = slab::rounded(bytes);
    working_ = true;
    state_ = pool_state::starting;
  }
  if (memory_.bytes() == 0) {
    refuse("the system refuses address space");
    return end_work();
  }
  auto const to = std::min(slab::rounded(bytes), memory_.bytes());
  if (!begin(0, to, first_extent)) run(0, to, first_extent);
}

bool pool_filler::request_growth(std::size_t bytes) {
  if (capacity() == memory_.bytes()) return false;
  std::size_t from = 0;
  std::size_t to = 0;
  {
    std::lock_guard lock{mutex_};
    if (working_) return true;
    from = end_of_extents();
    // Another caller's growth may have ended since state was read.
    if (from == memory_.bytes() || std::chrono::steady_clock::now() < paused_until_) return false;
    // At least 1 GiB or the current size, whichever is less: few steps reach any size.
    auto const step = std::max(slab::rounded(bytes), std::min(most_growth, from));
    to = std::min(from + step, memory_.bytes());
    working_ = true;
  }
  if (begin(from, to, options_.extent_bytes)) return true;
  // No thread can be made now; the next request may find one.
  end_work();
  return false;
}

bool pool_filler::begin(std::size_t from, std::size_t to, std::size_t first) try {
  std::thread{[=, this] { run(from, to, first); }}.detach();
  return true;
} catch (std::exception const&) {
  return false;
}

void pool_filler::run(std::size_t from, std::size_t to, std::size_t first) noexcept {
  try {
    auto extents = cut(from, to, first, options_.extent_bytes);
    fill(extents, to);
  } catch (std::exception const& failure) {
    refuse(failure.what());
  }
  end_work();
}

void pool_filler::fill(std::vector<extent>& extents, std::size_t to) {
  // Before any page is touched: it changes the mappings, and a touched page stays where it is.
  bind(extents);
  for (auto const& e : extents) {
    if (memory_.open(e.offset, e.bytes)) continue;
    refuse("the system commits no more memory");
    to = e.offset;
    break;
  }
  std::erase_if(extents, [&](extent const& e) { return e.offset >= to; });
  if (extents.empty()) return;
  if (pin_first(extents.front())) pin_rest(extents, to);
  std::lock_guard lock{mutex_};
  std::sort(extents_.begin(), extents_.end(), before);
  for (auto const& e : extents) {
    // Memory that was touched behind a refused extent goes back to the system.
    bool const registered = std::binary_search(extents_.begin(), extents_.end(), e, before);
    if (!registered) source_.discard(memory_.base() + e.offset, e.bytes);
  }
}

void pool_filler::end_work() {
  std::lock_guard lock{mutex_};
  if (startup_nanos_ == 0) startup_nanos_ = nanos_since_start();
  state_ = capacity() >= wanted_ ? pool_state::ready : pool_state::partial;
  working_ = false;
  changed_.notify_all();
}

std::size_t pool_filler::end_of_extents() const {
  return extents_.empty() ? 0 : extents_.back().offset + extents_.back().bytes;
}

void pool_filler::bind(std::vector<extent>& extents) {
  if (options_.nodes.empty()) return;
  auto const total = extents.back().offset + extents.back().bytes - extents.front().offset;
  node_shares shares{options_.nodes, total};
  {
    std::lock_guard lock{mutex_};
    for (auto const& e : extents_) shares.has(e.node, e.bytes);
  }
  for (auto& e : extents) {
    e.node = shares.next(e.bytes);
    memory_.bind(e.offset, e.bytes, e.node);
  }
}

bool pool_filler::pin_first(extent first) {
  // Touches no other extent: registering waits for every thread that is faulting pages in.
  page_toucher pages{source_, memory_.base(), first.offset, first.offset + first.bytes,
                     options_.touch_threads};
  pages.start();
  source_.enter_thread();
  return finish(first, pages);
}

void pool_filler::pin_rest(std::vector<extent> const& extents, std::size_t to) {
  if (extents.size() == 1) return;
  page_toucher pages{source_, memory_.base(), extents[1].offset, to, options_.touch_threads};
  std::atomic<std::size_t> next{1};
  auto const work = [&] {
    source_.enter_thread();
    for (auto i = next++; i < extents.size(); i = next++) {
      if (!finish(extents[i], pages)) next = extents.size();
    }
  };
  auto const others = threads_of(options_.pin_threads - 1, work);
  pages.start();
  work();
}

bool pool_filler::finish(extent e, page_toucher& pages) noexcept try {
  pages.await(e.offset, e.bytes);
  auto const before = nanos_since_start();
  auto why = source_.pin(memory_.base() + e.offset, e.bytes);
  auto const after = nanos_since_start();
  if (!why.empty()) return refuse(std::move(why));
  {
    std::lock_guard lock{mutex_};
    extents_.push_back(e);
    registrations_.push_back({e, after, after - before});
  }
  capacity_.fetch_add(e.bytes);
  boundaries_.add(e.offset);
  arena_.add_extent(run_of(e), e.node, e.offset >= wanted_);
  std::int64_t none = 0;
  first_nanos_.compare_exchange_strong(none, nanos_since_start());
  return true;
} catch (std::exception const& failure) {
  return refuse(failure.what());
}

bool pool_filler::refuse(std::string why) {
  std::lock_guard lock{mutex_};
  refusal_ = std::move(why);
  // A refusal need not last: the next request for growth may succeed.
  pause_ = pause_ == pause_.zero() ? options_.pause : std::min(2 * pause_, longest_pause);
  paused_until_ = std::chrono::steady_clock::now() + pause_;
  return false;
}

void pool_filler::trim(std::size_t bytes) {
  {
    std::lock_guard lock{mutex_};
    if (working_ || extents_.empty() || extents_.back().offset < wanted_) return;
    // Keeps growth and other trims away while the driver is called without the lock.
    working_ = true;
  }
  // The driver would make a context on the first device for a thread that has none.
  source_.enter_thread();
  for (extent last{}; take_last(bytes, last);) {
    source_.unpin(memory_.base() + last.offset);
    source_.discard(memory_.base() + last.offset, last.bytes);
  }
  std::lock_guard lock{mutex_};
  working_ = false;
  changed_.notify_all();
}

bool pool_filler::take_last(std::size_t bytes, extent& out) {
  std::lock_guard lock{mutex_};
  if (extents_.empty() || extents_.back().offset < wanted_) return false;
  if (capacity() - extents_.back().bytes < bytes) return false;
  if (!arena_.remove_extent(run_of(extents_.back()))) return false;
  out = extents_.back();
  extents_.pop_back();
  capacity_.fetch_sub(out.bytes);
  return true;
}

std::int64_t pool_filler::nanos_since_start() const {
  return std::chrono::nanoseconds{std::chrono::steady_clock::now() - started_}.count();
}

bool pool_filler::await(std::chrono::milliseconds time) {
  std::unique_lock lock{mutex_};
  return changed_.wait_for(lock, time, [this] { return !working_; });
}

std::vector<registration> pool_filler::take_registrations() {
  std::lock_guard lock{mutex_};
  return std::exchange(registrations_, {});
}

std::string pool_filler::refusal() const {
  std::lock_guard lock{mutex_};
  return refusal_;
}

}  // namespace mooring

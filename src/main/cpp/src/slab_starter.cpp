#include "mooring/slab_starter.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "node_shares.hpp"
#include "touching.hpp"

namespace mooring {

namespace {

// The first buffer is served after one small chunk; each next one is twice as large.
constexpr std::size_t first_chunk = 16UL << 20;
constexpr std::size_t most_growth = 1UL << 30;
constexpr std::chrono::milliseconds longest_pause = std::chrono::minutes{10};

std::vector<chunk> cut(std::size_t from, std::size_t to, std::size_t first, std::size_t largest) {
  std::vector<chunk> chunks;
  auto size = std::min(first, largest);
  for (auto at = from; at < to;) {
    chunks.push_back({.offset = at, .bytes = std::min(size, to - at)});
    at += chunks.back().bytes;
    size = std::min(2 * size, largest);
  }
  return chunks;
}

bool before(chunk a, chunk b) { return a.offset < b.offset; }

page_run extent_of(chunk c) {
  return {static_cast<std::uint32_t>(c.offset / page_arena::page_bytes),
          static_cast<std::uint32_t>(c.bytes / page_arena::page_bytes)};
}

}  // namespace

void slab_starter::start(std::size_t bytes) {
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
  if (!begin(0, to, first_chunk)) run(0, to, first_chunk);
}

bool slab_starter::request_growth(std::size_t bytes) {
  if (capacity() == memory_.bytes()) return false;
  std::size_t from = 0;
  std::size_t to = 0;
  {
    std::lock_guard lock{mutex_};
    if (working_) return true;
    from = end_of_chunks();
    // Another caller's growth may have ended since the first look.
    if (from == memory_.bytes() || std::chrono::steady_clock::now() < paused_until_) return false;
    // Steps as large as a small pool: a few of them are enough for whatever it is to hold.
    auto const step = std::max(slab::rounded(bytes), std::min(most_growth, from));
    to = std::min(from + step, memory_.bytes());
    working_ = true;
  }
  if (begin(from, to, options_.chunk_bytes)) return true;
  // No thread can be made now; the next request may find one.
  end_work();
  return false;
}

bool slab_starter::begin(std::size_t from, std::size_t to, std::size_t first) try {
  std::thread{[=, this] { run(from, to, first); }}.detach();
  return true;
} catch (std::exception const&) {
  return false;
}

void slab_starter::run(std::size_t from, std::size_t to, std::size_t first) noexcept {
  try {
    auto chunks = cut(from, to, first, options_.chunk_bytes);
    fill(chunks, to);
  } catch (std::exception const& e) {
    refuse(e.what());
  }
  end_work();
}

void slab_starter::fill(std::vector<chunk>& chunks, std::size_t to) {
  // Before any page is touched: it changes the mappings, and a touched page stays where it is.
  bind(chunks);
  for (auto const& c : chunks) {
    if (memory_.open(c.offset, c.bytes)) continue;
    refuse("the system promises no more memory");
    to = c.offset;
    break;
  }
  std::erase_if(chunks, [&](chunk const& c) { return c.offset >= to; });
  if (chunks.empty()) return;
  if (pin_first(chunks.front())) pin_rest(chunks, to);
  std::lock_guard lock{mutex_};
  std::sort(chunks_.begin(), chunks_.end(), before);
  for (auto const& c : chunks) {
    // What was touched behind a refused chunk goes back to the system.
    bool const kept = std::binary_search(chunks_.begin(), chunks_.end(), c, before);
    if (!kept) source_.discard(memory_.base() + c.offset, c.bytes);
  }
}

void slab_starter::end_work() {
  std::lock_guard lock{mutex_};
  if (startup_nanos_ == 0) startup_nanos_ = nanos_since_start();
  state_ = capacity() >= wanted_ ? pool_state::ready : pool_state::partial;
  working_ = false;
  changed_.notify_all();
}

std::size_t slab_starter::end_of_chunks() const {
  return chunks_.empty() ? 0 : chunks_.back().offset + chunks_.back().bytes;
}

void slab_starter::bind(std::vector<chunk>& chunks) {
  if (options_.nodes.empty()) return;
  auto const total = chunks.back().offset + chunks.back().bytes - chunks.front().offset;
  node_shares shares{options_.nodes, total};
  {
    std::lock_guard lock{mutex_};
    for (auto const& c : chunks_) shares.has(c.node, c.bytes);
  }
  for (auto& c : chunks) {
    c.node = shares.next(c.bytes);
    memory_.bind(c.offset, c.bytes, c.node);
  }
}

bool slab_starter::pin_first(chunk first) {
  // Alone: registering waits for every thread that is faulting pages in.
  touching pages{source_, memory_.base(), first.offset, first.offset + first.bytes,
                 options_.touch_threads};
  pages.start();
  source_.enter_thread();
  return finish(first, pages);
}

void slab_starter::pin_rest(std::vector<chunk> const& chunks, std::size_t to) {
  if (chunks.size() == 1) return;
  touching pages{source_, memory_.base(), chunks[1].offset, to, options_.touch_threads};
  std::atomic<std::size_t> next{1};
  auto const work = [&] {
    source_.enter_thread();
    for (auto i = next++; i < chunks.size(); i = next++) {
      if (!finish(chunks[i], pages)) next = chunks.size();
    }
  };
  auto const others = threads_of(options_.pin_threads - 1, work);
  pages.start();
  work();
}

bool slab_starter::finish(chunk c, touching& pages) noexcept try {
  pages.await(c.offset, c.bytes);
  auto const before = nanos_since_start();
  auto why = source_.pin(memory_.base() + c.offset, c.bytes);
  auto const after = nanos_since_start();
  if (!why.empty()) return refuse(std::move(why));
  {
    std::lock_guard lock{mutex_};
    chunks_.push_back(c);
    registrations_.push_back({c, after, after - before});
  }
  capacity_.fetch_add(c.bytes);
  borders_.add(c.offset);
  arena_.add_extent(extent_of(c), c.node, c.offset >= wanted_);
  std::int64_t none = 0;
  first_nanos_.compare_exchange_strong(none, nanos_since_start());
  return true;
} catch (std::exception const& e) {
  return refuse(e.what());
}

bool slab_starter::refuse(std::string why) {
  std::lock_guard lock{mutex_};
  refusal_ = std::move(why);
  // What was refused may be had later: a refusal need not last.
  pause_ = pause_ == pause_.zero() ? options_.pause : std::min(2 * pause_, longest_pause);
  paused_until_ = std::chrono::steady_clock::now() + pause_;
  return false;
}

void slab_starter::trim(std::size_t bytes) {
  {
    std::lock_guard lock{mutex_};
    if (working_ || chunks_.empty() || chunks_.back().offset < wanted_) return;
    // Keeps growth and other trims away while the driver is called without the lock.
    working_ = true;
  }
  // The driver would make a context on the first device for a thread that has none.
  source_.enter_thread();
  for (chunk last{}; take_last(bytes, last);) {
    source_.unpin(memory_.base() + last.offset);
    source_.discard(memory_.base() + last.offset, last.bytes);
  }
  std::lock_guard lock{mutex_};
  working_ = false;
  changed_.notify_all();
}

bool slab_starter::take_last(std::size_t bytes, chunk& out) {
  std::lock_guard lock{mutex_};
  if (chunks_.empty() || chunks_.back().offset < wanted_) return false;
  if (capacity() - chunks_.back().bytes < bytes) return false;
  if (!arena_.remove_extent(extent_of(chunks_.back()))) return false;
  out = chunks_.back();
  chunks_.pop_back();
  capacity_.fetch_sub(out.bytes);
  return true;
}

std::int64_t slab_starter::nanos_since_start() const {
  return std::chrono::nanoseconds{std::chrono::steady_clock::now() - started_}.count();
}

bool slab_starter::await(std::chrono::milliseconds time) {
  std::unique_lock lock{mutex_};
  return changed_.wait_for(lock, time, [this] { return !working_; });
}

std::vector<registration> slab_starter::take_registrations() {
  std::lock_guard lock{mutex_};
  return std::exchange(registrations_, {});
}

std::string slab_starter::refusal() const {
  std::lock_guard lock{mutex_};
  return refusal_;
}

}  // namespace mooring

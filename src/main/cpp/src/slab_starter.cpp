#include "mooring/slab_starter.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace mooring {

namespace {

// One chunk is one registration, and the longest run that the arena can hand out.
constexpr std::size_t largest_chunk = 512UL << 20;
// The first buffer is served after one small chunk; each next one is twice as large.
constexpr std::size_t first_chunk = 16UL << 20;
// Small enough that threads stay together, large enough that the call costs nothing.
constexpr std::size_t stripe = 8UL << 20;

/// Touches a stretch stripe by stripe with several threads, in order; tells how far it is.
class touching {
 public:
  touching(slab& memory, std::size_t from, std::size_t to, int threads)
      : memory_{memory},
        from_{from},
        to_{to},
        next_{from},
        done_((to - from + stripe - 1) / stripe) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }

  ~touching() {
    stop_ = true;
    for (auto& t : threads_) t.join();
  }

  /// Waits until everything before `offset` is touched; false when memory ran out.
  bool await(std::size_t offset) {
    auto const last = (std::min(offset, to_) - from_ + stripe - 1) / stripe;
    for (std::size_t i = 0; i < last; ++i) {
      done_[i].wait(0);
      if (done_[i] == 2) return false;
    }
    return true;
  }

 private:
  void work() {
    for (;;) {
      auto const at = next_.fetch_add(stripe);
      if (at >= to_) return;
      bool const good = !stop_ && memory_.touch(at, std::min(stripe, to_ - at));
      auto& mark = done_[(at - from_) / stripe];
      mark = good ? 1 : 2;
      mark.notify_all();
    }
  }

  slab& memory_;
  std::size_t from_;
  std::size_t to_;
  std::atomic<std::size_t> next_;
  std::atomic<bool> stop_{false};
  std::vector<std::atomic<int>> done_;
  std::vector<std::thread> threads_;
};

std::size_t round_up(std::size_t bytes) {
  return (bytes + slab::huge_page - 1) / slab::huge_page * slab::huge_page;
}

}  // namespace

void slab_starter::start(std::size_t bytes) {
  std::lock_guard lock{mutex_};
  started_ = std::chrono::steady_clock::now();
  wanted_ = std::min(round_up(bytes), memory_.bytes());
  working_ = true;
  state_ = pool_state::starting;
  std::thread{[this] { run(); }}.detach();
}

bool slab_starter::request_growth(std::size_t bytes) {
  std::lock_guard lock{mutex_};
  if (working_ || state() != pool_state::ready) return working_;
  auto const now = capacity();
  if (now >= memory_.bytes()) return false;
  // Doubling the step keeps the number of registrations small.
  auto const step = std::max(round_up(bytes), std::min(largest_chunk, now));
  wanted_ = std::min(now + step, memory_.bytes());
  working_ = true;
  std::thread{[this] { run(); }}.detach();
  return true;
}

void slab_starter::run() {
  if (device_ >= 0) cudaSetDevice(device_);
  bring_into_use(capacity(), wanted_);
  auto const took = std::chrono::steady_clock::now() - started_;
  std::lock_guard lock{mutex_};
  if (startup_nanos_ == 0) startup_nanos_ = std::chrono::nanoseconds{took}.count();
  state_ = refusal_.empty() ? pool_state::ready : pool_state::partial;
  working_ = false;
  changed_.notify_all();
}

void slab_starter::bring_into_use(std::size_t from, std::size_t to) {
  touching pages{memory_, from, to, threads_};
  auto size = first_chunk;
  for (auto at = from; at < to;) {
    chunk const c{at, std::min(size, to - at)};
    if (!pages.await(c.offset + c.bytes)) {
      refuse("the system has no memory for it");
      memory_.discard(c.offset, to - c.offset);
      return;
    }
    if (!finish_chunk(c)) return;
    at += c.bytes;
    size = std::min(2 * size, largest_chunk);
  }
}

bool slab_starter::finish_chunk(chunk c) {
  if (device_ >= 0) {
    auto why = memory_.pin(c.offset, c.bytes);
    if (!why.empty()) {
      refuse(std::move(why));
      return false;
    }
  }
  {
    std::lock_guard lock{mutex_};
    chunks_.push_back(c);
  }
  capacity_.fetch_add(c.bytes);
  arena_.add_extent({static_cast<std::uint32_t>(c.offset / page_arena::page_bytes),
                     static_cast<std::uint32_t>(c.bytes / page_arena::page_bytes)});
  if (first_nanos_ == 0) {
    auto const took = std::chrono::steady_clock::now() - started_;
    first_nanos_ = std::chrono::nanoseconds{took}.count();
  }
  return true;
}

void slab_starter::refuse(std::string why) {
  std::lock_guard lock{mutex_};
  refusal_ = std::move(why);
}

void slab_starter::trim(std::size_t bytes) {
  std::lock_guard lock{mutex_};
  if (working_) return;
  while (!chunks_.empty() && capacity() - chunks_.back().bytes >= bytes) {
    auto const c = chunks_.back();
    page_run const extent{static_cast<std::uint32_t>(c.offset / page_arena::page_bytes),
                          static_cast<std::uint32_t>(c.bytes / page_arena::page_bytes)};
    if (!arena_.remove_extent(extent)) return;
    chunks_.pop_back();
    capacity_.fetch_sub(c.bytes);
    if (device_ >= 0) memory_.unpin(c.offset);
    memory_.discard(c.offset, c.bytes);
  }
}

bool slab_starter::await(std::chrono::milliseconds time) {
  std::unique_lock lock{mutex_};
  return changed_.wait_for(lock, time, [this] { return !working_; });
}

std::string slab_starter::refusal() const {
  std::lock_guard lock{mutex_};
  return refusal_;
}

}  // namespace mooring

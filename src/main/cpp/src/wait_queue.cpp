// SPDX-License-Identifier: Apache-2.0

#include "wait_queue.hpp"

#include <algorithm>
#include <limits>

namespace mooring {

namespace {

// Fences pass, spans become idle and extents come into use without a notification.
constexpr std::chrono::milliseconds poll_interval{2};
// Short enough to be added to any time of the clock without overflow.
constexpr std::chrono::hours for_ever{24 * 365};

}  // namespace

void* wait_queue::wait(std::size_t bytes, std::chrono::milliseconds time, source const& take) {
  if (empty()) {
    if (auto* const block = take(bytes)) return block;
  }
  auto const before = clock::now();
  auto const end = before + std::min<std::chrono::milliseconds>(time, for_ever);
  std::unique_lock lock{mutex_};
  ++waits_;
  auto* const block = in_turn(lock, bytes, end, take);
  wait_nanos_ += std::chrono::nanoseconds{clock::now() - before}.count();
  if (block == nullptr) ++timeouts_;
  return block;
}

void* wait_queue::in_turn(std::unique_lock<std::mutex>& lock, std::size_t bytes,
                          clock::time_point end, source const& take) {
  ticket mine{.bytes = bytes, .since = clock::now()};
  auto const place = tickets_.insert(tickets_.end(), &mine);
  ++count_;
  wake_first();
  while (mine.block == nullptr && clock::now() < end) {
    if (tickets_.front() != &mine) {
      mine.changed.wait_until(lock, end);
      continue;
    }
    news_ = false;
    serve(lock, take);
    if (mine.block == nullptr && !news_) {
      mine.changed.wait_until(lock, std::min(end, clock::now() + poll_interval));
    }
  }
  mine.leaving = true;
  mine.changed.wait(lock, [&] { return !mine.in_hand; });
  bool const was_first = tickets_.front() == &mine;
  tickets_.erase(place);
  --count_;
  if (was_first) wake_first();
  return mine.block;
}

void wait_queue::serve(std::unique_lock<std::mutex>& lock, source const& take) {
  auto& first = *tickets_.front();
  auto const others_too = (clock::now() - first.since) % turn < passing;
  auto too_much = std::numeric_limits<std::size_t>::max();
  for (auto at = tickets_.begin(); at != tickets_.end(); ++at) {
    auto& t = **at;
    // A request as large as one that was just refused is not tried.
    if (t.block != nullptr || t.bytes >= too_much) continue;
    if (!ask(lock, t, take)) too_much = t.bytes;
    // Once served it leaves, and the next in line goes on.
    if (first.block != nullptr || !others_too) return;
  }
}

bool wait_queue::ask(std::unique_lock<std::mutex>& lock, ticket& t, source const& take) {
  t.in_hand = true;
  lock.unlock();
  auto* const block = take(t.bytes);
  lock.lock();
  t.in_hand = false;
  t.block = block;
  if (block != nullptr || t.leaving) t.changed.notify_one();
  return block != nullptr;
}

void wait_queue::notify() noexcept {
  if (empty()) return;
  std::lock_guard lock{mutex_};
  wake_first();
}

void wait_queue::wake_first() noexcept {
  news_ = true;
  if (!tickets_.empty()) tickets_.front()->changed.notify_one();
}

wait_stats wait_queue::stats() const {
  std::lock_guard lock{mutex_};
  return {waits_, wait_nanos_, timeouts_};
}

}  // namespace mooring

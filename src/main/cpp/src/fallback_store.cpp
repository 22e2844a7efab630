#include "mooring/fallback_store.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "mooring/slab_source.hpp"

namespace mooring {

namespace {

// Below, a page is the smallest thing that can be mapped.
constexpr std::size_t smallest = 4096;
constexpr std::size_t huge_page = 2UL << 20;
// A free in the pool tells nobody, because it is quick; one caller that looks this often is cheap.
constexpr std::chrono::milliseconds ask_again{2};

void* map(std::size_t bytes) {
  auto* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  if (bytes >= huge_page) madvise(p, bytes, MADV_HUGEPAGE);
  plain_slab_source{}.touch(static_cast<std::byte*>(p), bytes);
  return p;
}

}  // namespace

std::size_t fallback_store::rounded(std::size_t bytes) {
  if (bytes <= smallest) return smallest;
  auto const step = std::max(smallest, std::bit_floor(bytes) / 8);
  return (bytes + step - 1) / step * step;
}

void* fallback_store::allocate(std::size_t bytes, std::chrono::milliseconds time,
                               std::function<void*()> const& elsewhere) {
  if (bytes > limit_) return nullptr;
  // Rounding up must not refuse what fits the limit.
  auto const size = std::min(rounded(bytes), limit_);
  std::vector<block> evicted;
  void* granted = nullptr;
  {
    std::unique_lock lock{mutex_};
    auto const [has_room, other] = await_turn(lock, size, time, elsewhere);
    if (!has_room) return other;
    granted = claim(size, evicted);
  }
  for (auto const& [length, address] : evicted) munmap(address, length);
  return granted != nullptr ? granted : map_claimed(size);
}

fallback_store::outcome fallback_store::await_turn(std::unique_lock<std::mutex>& lock,
                                                   std::size_t size, std::chrono::milliseconds time,
                                                   std::function<void*()> const& elsewhere) {
  auto const ticket = next_ticket_++;
  waiting_.insert(ticket);
  outcome result{*waiting_.begin() == ticket && fits(size), nullptr};
  if (!result.has_room) {
    ++waits_;
    auto const before = clock::now();
    result = wait(lock, ticket, size, before + time, elsewhere);
    wait_nanos_ += std::chrono::nanoseconds{clock::now() - before}.count();
    if (!result.has_room && result.other == nullptr) ++timeouts_;
  }
  waiting_.erase(ticket);
  // The next in line may fit beside this one, or may have waited only for this one's place.
  if (!waiting_.empty()) changed_.notify_all();
  return result;
}

fallback_store::outcome fallback_store::wait(std::unique_lock<std::mutex>& lock,
                                             std::uint64_t ticket, std::size_t size,
                                             clock::time_point end,
                                             std::function<void*()> const& elsewhere) {
  for (;;) {
    bool const oldest = *waiting_.begin() == ticket;
    if (oldest && fits(size)) return {true, nullptr};
    if (clock::now() >= end) return {false, nullptr};
    if (!oldest || !elsewhere) {
      changed_.wait_until(lock, end);
      continue;
    }
    lock.unlock();
    auto* const other = elsewhere();
    lock.lock();
    if (other != nullptr) return {false, other};
    if (!fits(size)) changed_.wait_until(lock, std::min(end, clock::now() + ask_again));
  }
}

bool fallback_store::fits(std::size_t size) const {
  return idle_.count(size) != 0 || held_ - idle_bytes_ + size <= limit_;
}

void* fallback_store::claim(std::size_t size, std::vector<block>& evicted) {
  auto const kept = idle_.find(size);
  if (kept != idle_.end()) {
    auto* const address = kept->second;
    in_use_.emplace(address, size);
    idle_.erase(kept);
    idle_bytes_ -= size;
    return address;
  }
  while (held_ + size > limit_) {
    auto const largest = std::prev(idle_.end());
    evicted.push_back(*largest);
    held_ -= largest->first;
    idle_bytes_ -= largest->first;
    idle_.erase(largest);
  }
  held_ += size;
  return nullptr;
}

void* fallback_store::map_claimed(std::size_t size) {
  auto* const fresh = map(size);
  std::lock_guard lock{mutex_};
  if (fresh != nullptr) {
    in_use_.emplace(fresh, size);
  } else {
    held_ -= size;
    changed_.notify_all();
  }
  return fresh;
}

bool fallback_store::free(void* address) {
  std::lock_guard lock{mutex_};
  auto const found = in_use_.find(address);
  if (found == in_use_.end()) return false;
  idle_.emplace(found->second, address);
  idle_bytes_ += found->second;
  in_use_.erase(found);
  changed_.notify_all();
  return true;
}

fallback_usage fallback_store::usage() const {
  std::lock_guard lock{mutex_};
  return {held_, waits_, wait_nanos_, timeouts_};
}

}  // namespace mooring

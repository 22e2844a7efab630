#include "mooring/fallback_store.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

namespace mooring {

namespace {

// Below, a page is the smallest thing that can be mapped.
constexpr std::size_t smallest = 4096;
constexpr std::size_t huge_page = 2UL << 20;

void* map(std::size_t bytes) {
  auto* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  if (bytes >= huge_page) madvise(p, bytes, MADV_HUGEPAGE);
  return p;
}

}  // namespace

std::size_t fallback_store::rounded(std::size_t bytes) {
  if (bytes <= smallest) return smallest;
  auto const step = std::max(smallest, std::bit_floor(bytes) / 8);
  return (bytes + step - 1) / step * step;
}

void* fallback_store::allocate(std::size_t bytes, std::chrono::milliseconds time) {
  auto const size = rounded(bytes);
  std::unique_lock lock{mutex_};
  if (size > limit_) return nullptr;
  auto const ticket = next_ticket_++;
  waiting_.insert(ticket);
  auto const my_turn = [&] { return *waiting_.begin() == ticket && has_room(size); };
  bool good = my_turn();
  if (!good) {
    ++waits_;
    auto const before = std::chrono::steady_clock::now();
    good = freed_.wait_for(lock, time, my_turn);
    wait_nanos_ += std::chrono::nanoseconds{std::chrono::steady_clock::now() - before}.count();
  }
  waiting_.erase(ticket);
  // The next in line may fit beside this one, or may have waited only for this one's place.
  freed_.notify_all();
  if (!good) {
    ++timeouts_;
    return nullptr;
  }
  return take(size);
}

bool fallback_store::has_room(std::size_t size) {
  return idle_.count(size) != 0 || held_ + size <= limit_ || evict_for(size);
}

bool fallback_store::evict_for(std::size_t size) {
  while (held_ + size > limit_ && !idle_.empty()) {
    auto const largest = std::prev(idle_.end());
    munmap(largest->second, largest->first);
    held_ -= largest->first;
    idle_.erase(largest);
  }
  return held_ + size <= limit_;
}

void* fallback_store::take(std::size_t size) {
  auto const kept = idle_.find(size);
  if (kept != idle_.end()) {
    auto* const p = kept->second;
    idle_.erase(kept);
    return p;
  }
  auto* const fresh = map(size);
  if (fresh != nullptr) held_ += size;
  return fresh;
}

void fallback_store::free(void* address, std::size_t bytes) noexcept {
  {
    std::lock_guard lock{mutex_};
    idle_.emplace(rounded(bytes), address);
  }
  freed_.notify_all();
}

fallback_usage fallback_store::usage() const {
  std::lock_guard lock{mutex_};
  return {held_, waits_, wait_nanos_, timeouts_};
}

}  // namespace mooring

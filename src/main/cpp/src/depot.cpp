#include "mooring/depot.hpp"

#include <utility>

namespace mooring {

namespace {
// A miss costs an event query each: past these a fresh span is cheaper.
constexpr int most_tries = 8;
}  // namespace

void depot::put(magazine_ptr full) {
  std::lock_guard lock{mutex_};
  magazines_.push_back(std::move(full));
}

magazine_ptr depot::pop() {
  std::lock_guard lock{mutex_};
  if (magazines_.empty()) return nullptr;
  auto first = std::move(magazines_.front());
  magazines_.pop_front();
  return first;
}

magazine_ptr depot::take_ready() {
  for (int tries = 0; tries < most_tries; ++tries) {
    auto candidate = pop();
    if (candidate == nullptr || candidate->ready()) return candidate;
    put(std::move(candidate));
  }
  return nullptr;
}

std::vector<magazine_ptr> depot::take_all() {
  std::lock_guard lock{mutex_};
  std::vector<magazine_ptr> all;
  all.reserve(magazines_.size());
  for (auto& m : magazines_) all.push_back(std::move(m));
  magazines_.clear();
  return all;
}

}  // namespace mooring

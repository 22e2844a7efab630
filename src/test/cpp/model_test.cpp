// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

/// Every live block by address; fails when two overlap.
class oracle {
 public:
  void add(void* address, std::size_t bytes) {
    auto const start = reinterpret_cast<std::size_t>(address);
    auto const next = live_.lower_bound(start);
    if (next != live_.end()) {
      ASSERT_LE(start + bytes, next->first);
    }
    if (next != live_.begin()) {
      auto const before = std::prev(next);
      ASSERT_LE(before->first + before->second, start);
    }
    live_[start] = bytes;
    bytes_ += bytes;
  }

  void* take(std::size_t n) {
    auto const at = std::next(live_.begin(), static_cast<std::ptrdiff_t>(n % live_.size()));
    auto* const address = reinterpret_cast<void*>(at->first);
    bytes_ -= at->second;
    live_.erase(at);
    return address;
  }

  bool empty() const { return live_.empty(); }
  std::size_t count() const { return live_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::map<std::size_t, std::size_t> live_;
  std::size_t bytes_ = 0;
};

std::size_t random_size(std::mt19937_64& random) {
  return 1 + (random() & ((1UL << (random() % 23)) - 1));
}

void run_model(std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random{seed};
  auto& p = pageable_pool(64_MiB);
  oracle model;
  for (int i = 0; i < 20'000; ++i) {
    if (model.empty() || random() % 100 < 52) {
      auto const bytes = random_size(random);
      auto cause = refusal_cause::off;
      auto* const block = p.allocate(bytes, cause);
      if (block != nullptr) {
        ASSERT_EQ(reinterpret_cast<std::size_t>(block) % 64, 0U);
        ASSERT_NO_FATAL_FAILURE(model.add(block, bytes));
      }
    } else {
      ASSERT_TRUE(p.free(model.take(random())));
    }
    if (i % 1000 == 0) {
      ASSERT_GE(stat(p, pool_stat::bytes_in_use), static_cast<std::int64_t>(model.bytes()));
    }
  }
  while (!model.empty()) ASSERT_TRUE(p.free(model.take(0)));
  ASSERT_EQ(stat(p, pool_stat::bytes_in_use), 0);
  impl_of(p).heap(client::java).flush();
  ASSERT_EQ(stat(p, pool_stat::page_bytes_in_use), 0);
}

}  // namespace

TEST(Model, RandomOperationsAgreeWithTheOracle) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) run_model(seed);
}

}  // namespace mooring

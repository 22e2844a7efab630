// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <thread>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

struct parcel {
  void* block;
  std::size_t bytes;
  unsigned char mark;
};

/// Blocks on their way from the thread that filled them to one that checks and frees them.
class exchange {
 public:
  void put(parcel p) {
    std::lock_guard lock{mutex_};
    parcels_.push_back(p);
  }
  bool take(parcel& out, std::uint64_t n) {
    std::lock_guard lock{mutex_};
    if (parcels_.empty()) return false;
    std::swap(parcels_[n % parcels_.size()], parcels_.back());
    out = parcels_.back();
    parcels_.pop_back();
    return true;
  }

 private:
  std::mutex mutex_;
  std::vector<parcel> parcels_;
};

bool intact(parcel const& p) {
  auto const* const bytes = static_cast<unsigned char const*>(p.block);
  return bytes[0] == p.mark && bytes[p.bytes / 2] == p.mark && bytes[p.bytes - 1] == p.mark;
}

void work(pool& p, exchange& others, std::uint64_t seed, int operations, std::atomic<int>& broken) {
  std::mt19937_64 random{seed};
  for (int i = 0; i < operations; ++i) {
    parcel mine{};
    if (random() % 2 == 0) {
      mine.bytes = 1 + (random() & ((1UL << (random() % 19)) - 1));
      auto cause = refusal_cause::off;
      mine.block = p.allocate(mine.bytes, cause);
      if (mine.block == nullptr) continue;
      mine.mark = static_cast<unsigned char>(random());
      std::memset(mine.block, mine.mark, mine.bytes);
      others.put(mine);
    } else if (others.take(mine, random())) {
      if (!intact(mine)) ++broken;
      if (!p.free(mine.block)) ++broken;
    }
  }
}

}  // namespace

TEST(Stress, AMillionOperationsOfSixteenThreadsKeepEveryByte) {
  auto& p = pageable_pool(256_MiB, nullptr, {.size = 0, .max_size = 0, .checks = true});
  exchange others;
  std::atomic<int> broken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] { work(p, others, 100 + t, 62'500, broken); });
  }
  for (auto& t : threads) t.join();
  parcel rest{};
  while (others.take(rest, 0)) EXPECT_TRUE(intact(rest) && p.free(rest.block));
  EXPECT_EQ(broken, 0);
  EXPECT_EQ(stat(p, pool_stat::bytes_in_use), 0);
}

}  // namespace mooring

#include "mooring/depot.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

magazine_ptr full_of(std::uint32_t count, fence_ptr fence = nullptr) {
  auto m = std::make_unique<magazine>();
  m->count = count;
  m->fence = std::move(fence);
  return m;
}

fence_ptr marked(manual_fences& fences) {
  return std::make_shared<shared_fence>(fences, fences.record({}));
}

}  // namespace

TEST(Depot, ExchangesFullMagazinesForEmptyOnes) {
  depot d;
  EXPECT_EQ(d.put(full_of(5), 3), nullptr);
  auto empty = full_of(0);
  auto* const given = empty.get();
  std::uint32_t shard = 9;
  auto const found = d.take_ready(shard, empty);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->count, 5U);
  EXPECT_EQ(shard, 3U);
  EXPECT_EQ(empty, nullptr);
  EXPECT_EQ(d.put(full_of(6), 3).get(), given);
}

TEST(Depot, KeepsTheEmptyMagazineOfWhoFindsNothing) {
  depot d;
  auto empty = full_of(0);
  std::uint32_t shard = 0;
  EXPECT_EQ(d.take_ready(shard, empty), nullptr);
  EXPECT_NE(empty, nullptr);
}

TEST(Depot, GivesIdleMagazinesBeforeFencedOnesAndThoseInOrderOfAge) {
  manual_fences fences;
  depot d;
  d.put(full_of(1, marked(fences)), 0);
  d.put(full_of(2, marked(fences)), 0);
  d.put(full_of(3), 0);
  fences.pass_all();
  magazine_ptr empty;
  std::uint32_t shard = 0;
  for (auto const count : {3U, 1U, 2U}) EXPECT_EQ(d.take_ready(shard, empty)->count, count);
  EXPECT_EQ(d.take_ready(shard, empty), nullptr);
}

TEST(Depot, SkipsMagazinesWhoseFenceHasNotPassedInEveryShard) {
  manual_fences fences;
  depot d;
  auto const first = marked(fences);
  fences.pass_all();
  d.put(full_of(1, marked(fences)), 0);
  d.put(full_of(2, marked(fences)), 1);
  d.put(full_of(3, first), 2);
  magazine_ptr empty;
  std::uint32_t shard = 0;
  EXPECT_EQ(d.take_ready(shard, empty)->count, 3U);
  EXPECT_EQ(d.take_ready(shard, empty), nullptr);
  EXPECT_EQ(d.take_all().size(), 2U);
}

TEST(Depot, LosesNothingBetweenManyThreads) {
  depot d;
  std::atomic<std::uint64_t> put{0};
  std::atomic<std::uint64_t> taken{0};
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      magazine_ptr spare;
      std::uint32_t shard = t;
      for (std::uint32_t i = 1; i <= 20'000; ++i) {
        auto m = spare ? std::move(spare) : std::make_unique<magazine>();
        m->count = i % 7;
        put += m->count;
        spare = d.put(std::move(m), t);
        if (i % 3 == 0) continue;
        if (auto const found = d.take_ready(shard, spare)) taken += found->count;
      }
    });
  }
  for (auto& t : threads) t.join();
  for (auto const& m : d.take_all()) taken += m->count;
  EXPECT_EQ(taken, put);
}

}  // namespace mooring

#include "mooring/fallback_store.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;
using std::chrono::milliseconds;

TEST(FallbackStore, UsesABufferAgain) {
  fallback_store store{64_MiB};
  auto* const a = store.allocate(5_MiB, milliseconds{0});
  std::memset(a, 1, 5_MiB);
  store.free(a);
  EXPECT_EQ(store.allocate(5_MiB, milliseconds{0}), a);
}

TEST(FallbackStore, HoldsNoMoreThanItsLimit) {
  fallback_store store{8_MiB};
  auto* const a = store.allocate(4_MiB, milliseconds{0});
  auto* const b = store.allocate(4_MiB, milliseconds{0});
  ASSERT_TRUE(a != nullptr && b != nullptr);
  EXPECT_EQ(store.allocate(4_KiB, milliseconds{1}), nullptr);
  store.free(a);
  EXPECT_NE(store.allocate(3_MiB, milliseconds{0}), nullptr);
  EXPECT_LE(store.usage().held, 8_MiB);
}

TEST(FallbackStore, RefusesAtOnceWhatCanNeverFit) {
  fallback_store store{8_MiB};
  auto const before = std::chrono::steady_clock::now();
  EXPECT_EQ(store.allocate(9_MiB, std::chrono::seconds{10}), nullptr);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds{5});
}

TEST(FallbackStore, AWaiterGivesUpAtItsDeadline) {
  fallback_store store{1_MiB};
  ASSERT_NE(store.allocate(1_MiB, milliseconds{0}), nullptr);
  EXPECT_EQ(store.allocate(1_MiB, milliseconds{50}), nullptr);
  EXPECT_EQ(store.usage().timeouts, 1U);
  EXPECT_GE(store.usage().wait_nanos, 50'000'000U);
}

TEST(FallbackStore, ServesWaitersInTheOrderTheyCame) {
  fallback_store store{4_MiB};
  auto* const all = store.allocate(4_MiB, milliseconds{0});
  std::atomic<int> finished{0};
  std::atomic<int> large_at{0};
  std::thread large{[&] {
    auto* const p = store.allocate(4_MiB, std::chrono::seconds{10});
    large_at = ++finished;
    store.free(p);
  }};
  while (store.usage().waits < 1) std::this_thread::yield();
  std::thread small{[&] {
    auto* const p = store.allocate(4_KiB, std::chrono::seconds{10});
    ++finished;
    store.free(p);
  }};
  while (store.usage().waits < 2) std::this_thread::yield();
  store.free(all);
  large.join();
  small.join();
  EXPECT_EQ(large_at, 1);
}

TEST(FallbackStore, AWaiterTakesWhatComesFreeElsewhere) {
  fallback_store store{1_MiB};
  ASSERT_NE(store.allocate(1_MiB, milliseconds{0}), nullptr);
  int other = 0;
  std::atomic<bool> free_elsewhere{false};
  std::thread frees{[&] {
    while (store.usage().waits < 1) std::this_thread::yield();
    free_elsewhere = true;
  }};
  auto* const got = store.allocate(1_MiB, std::chrono::seconds{30},
                                   [&]() -> void* { return free_elsewhere ? &other : nullptr; });
  frees.join();
  EXPECT_EQ(got, &other);
  EXPECT_EQ(store.usage().timeouts, 0U);
  EXPECT_LT(store.usage().wait_nanos, 20'000'000'000U);
}

TEST(FallbackStore, OnlyTheOldestWaiterAsksElsewhere) {
  fallback_store store{1_MiB};
  auto* const all = store.allocate(1_MiB, milliseconds{0});
  std::atomic<int> asked_by_second{0};
  std::thread first{[&] { store.free(store.allocate(1_MiB, std::chrono::seconds{30})); }};
  while (store.usage().waits < 1) std::this_thread::yield();
  std::thread second{[&] {
    auto* const p = store.allocate(1_MiB, milliseconds{50}, [&]() -> void* {
      ++asked_by_second;
      return nullptr;
    });
    EXPECT_EQ(p, nullptr);
  }};
  second.join();
  EXPECT_EQ(asked_by_second, 0);
  store.free(all);
  first.join();
}

TEST(FallbackStore, ThreadsThatHoldOneBufferEachAllMakeProgress) {
  constexpr int rounds = 200;
  fallback_store store{4_MiB};
  std::atomic<int> served{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        auto* const p = store.allocate((1 + (t * 7 + i) % 4) * 1_MiB, std::chrono::seconds{60});
        if (p == nullptr) continue;
        std::memset(p, t, 1_MiB);
        served += static_cast<unsigned char const*>(p)[1_MiB - 1] == t;
        store.free(p);
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(served, 8 * rounds);
  EXPECT_LE(store.usage().held, 4_MiB);
}

}  // namespace mooring

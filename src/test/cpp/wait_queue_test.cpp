// SPDX-License-Identifier: Apache-2.0

#include "wait_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

namespace {

/// So many bytes that can be had at a time; every block has an address of its own.
class budget {
 public:
  explicit budget(std::size_t bytes) : left_{bytes} {}
  void* take(std::size_t bytes) {
    auto left = left_.load();
    while (left >= bytes) {
      if (left_.compare_exchange_weak(left, left - bytes)) return this;
    }
    return nullptr;
  }
  void add(std::size_t bytes) { left_ += bytes; }
  wait_queue::source source() {
    return [this](std::size_t bytes) { return take(bytes); };
  }

 private:
  std::atomic<std::size_t> left_;
};

void await_waits(wait_queue const& waiters, std::uint64_t count) {
  while (waiters.stats().waits < count) std::this_thread::yield();
}

}  // namespace

TEST(WaitQueue, ServesAtOnceWhereNobodyWaits) {
  wait_queue waiters;
  budget memory{1};
  EXPECT_EQ(waiters.wait(1, milliseconds{0}, memory.source()), &memory);
  EXPECT_EQ(waiters.stats().waits, 0U);
  EXPECT_TRUE(waiters.empty());
}

TEST(WaitQueue, GivesUpAtTheDeadline) {
  wait_queue waiters;
  budget memory{0};
  EXPECT_EQ(waiters.wait(1, milliseconds{50}, memory.source()), nullptr);
  EXPECT_EQ(waiters.stats().timeouts, 1U);
  EXPECT_GE(waiters.stats().wait_nanos, 50'000'000U);
  EXPECT_TRUE(waiters.empty());
}

TEST(WaitQueue, WaitsForATimeThatNoClockCanHold) {
  wait_queue waiters;
  budget memory{0};
  std::thread frees{[&] {
    await_waits(waiters, 1);
    memory.add(1);
    waiters.notify();
  }};
  EXPECT_EQ(waiters.wait(1, milliseconds::max(), memory.source()), &memory);
  frees.join();
}

TEST(WaitQueue, SeesMemoryThatCameFreeWithoutAWord) {
  wait_queue waiters;
  budget memory{0};
  std::thread frees{[&] {
    await_waits(waiters, 1);
    memory.add(1);
  }};
  EXPECT_EQ(waiters.wait(1, std::chrono::seconds{60}, memory.source()), &memory);
  frees.join();
  EXPECT_LT(waiters.stats().wait_nanos, 30'000'000'000U);
}

TEST(WaitQueue, ServesEqualRequestsInTheOrderTheyCame) {
  constexpr int callers = 8;
  wait_queue waiters;
  budget memory{0};
  std::atomic<int> served{0};
  std::vector<int> place(callers, -1);
  std::vector<std::thread> threads;
  for (int i = 0; i < callers; ++i) {
    threads.emplace_back([&, i] {
      if (waiters.wait(1, std::chrono::seconds{60}, memory.source()) == nullptr) return;
      place[i] = served++;
      // One at a time, so that the order of waking is that of serving.
      memory.add(1);
      waiters.notify();
    });
    await_waits(waiters, static_cast<std::uint64_t>(i) + 1);
  }
  memory.add(1);
  waiters.notify();
  for (auto& t : threads) t.join();
  for (int i = 0; i < callers; ++i) EXPECT_EQ(place[i], i);
}

TEST(WaitQueue, WhatFitsPassesAFirstInLineThatDoesNot) {
  wait_queue waiters;
  budget memory{0};
  std::atomic<bool> large_served{false};
  std::thread large{[&] {
    large_served = waiters.wait(100, std::chrono::seconds{60}, memory.source()) != nullptr;
  }};
  await_waits(waiters, 1);
  std::thread small{
      [&] { EXPECT_NE(waiters.wait(1, std::chrono::seconds{60}, memory.source()), nullptr); }};
  await_waits(waiters, 2);
  memory.add(1);
  waiters.notify();
  small.join();
  EXPECT_FALSE(large_served);
  memory.add(100);
  waiters.notify();
  large.join();
  EXPECT_TRUE(large_served);
}

TEST(WaitQueue, SmallRequestsDoNotStarveALargeOne) {
  constexpr std::size_t all = 64;
  wait_queue waiters;
  budget memory{all};
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  // Together they would keep all of it, and any one of them fits what another gives back.
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      while (!stop) {
        auto* const block = waiters.empty()
                                ? memory.take(8)
                                : waiters.wait(8, std::chrono::seconds{60}, memory.source());
        std::this_thread::sleep_for(std::chrono::microseconds{300});
        if (block != nullptr) memory.add(8);
        waiters.notify();
      }
    });
  }
  std::this_thread::sleep_for(milliseconds{20});
  auto const before = clock::now();
  EXPECT_NE(waiters.wait(all, std::chrono::seconds{60}, memory.source()), nullptr);
  EXPECT_LT(clock::now() - before, std::chrono::seconds{20});
  stop = true;
  memory.add(all);
  waiters.notify();
  for (auto& t : threads) t.join();
}

TEST(WaitQueue, ACallerWhoseTimeIsOverLosesNothing) {
  constexpr std::size_t all = 4;
  wait_queue waiters;
  budget memory{all};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 200; ++round) {
        auto const bytes = 1 + static_cast<std::size_t>(i + round) % all;
        if (waiters.wait(bytes, milliseconds{round % 3}, memory.source()) == nullptr) continue;
        std::this_thread::yield();
        memory.add(bytes);
        waiters.notify();
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_TRUE(waiters.empty());
  EXPECT_EQ(memory.take(all), &memory) << "a block was handed to somebody who had gone";
}

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

/// Threads that have each run `work` and then do nothing, with what their caches keep.
class idle_threads {
 public:
  template <typename Work>
  idle_threads(int count, Work work) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this, i, work] {
        work(static_cast<std::uint64_t>(i));
        std::unique_lock lock{mutex_};
        ++idle_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return over_; });
      });
    }
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return idle_ == count; });
  }
  ~idle_threads() {
    {
      std::lock_guard lock{mutex_};
      over_ = true;
    }
    changed_.notify_all();
    for (auto& t : threads_) t.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int idle_ = 0;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

/// Allocates and frees as a reader of small column chunks does: some buffers at once, then none.
void use_both_faces(pool& p, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  for (auto const owner : {client::java, client::libcudf}) {
    std::vector<void*> held;
    auto const free_all = [&] {
      for (auto* const b : held) owner == client::java ? p.free(b) : p.free_ordered(b, nullptr);
      held.clear();
    };
    for (int i = 0; i < 300; ++i) {
      if (held.size() > 24) free_all();
      auto const bytes = 1 + random() % (i % 2 == 0 ? 64_KiB : 1_MiB);
      auto cause = refusal_cause::off;
      auto* const b =
          owner == client::java ? p.allocate(bytes, cause) : p.allocate_ordered(bytes, nullptr);
      if (b != nullptr) held.push_back(b);
    }
    free_all();
  }
}

/// Allocates blocks of each heap, and frees them all.
void fill_caches(pool& p, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<void*> java;
  std::vector<void*> ordered;
  for (int i = 0; i < 64; ++i) {
    auto cause = refusal_cause::off;
    auto const bytes = 1 + random() % 16_KiB;
    java.push_back(p.allocate(bytes, cause));
    ordered.push_back(p.allocate_ordered(bytes, per_thread_stream));
  }
  for (auto* const b : java) {
    if (b != nullptr) p.free(b);
  }
  for (auto* const b : ordered) {
    if (b != nullptr) p.free_ordered(b, per_thread_stream);
  }
}

/// Bytes that the caches of both heaps may keep of a pool.
std::int64_t share_of_caches(std::size_t pool) {
  return static_cast<std::int64_t>(2 * (pool / 64));
}

class untouched final : public pageable_slab_source {
 public:
  void touch(std::byte*, std::size_t) noexcept override {}
};

pool& untouched_pool(std::size_t size, std::unique_ptr<fence_source> fences = nullptr) {
  auto& p = leaked_pool({.size = size, .max_size = size, .threads = 1}, std::move(fences),
                        std::make_unique<untouched>());
  EXPECT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  return p;
}

std::size_t had_in_pieces(pool& p, std::size_t piece) {
  std::vector<void*> pieces;
  auto cause = refusal_cause::off;
  while (auto* const b = p.allocate(piece, cause)) pieces.push_back(b);
  for (auto* const b : pieces) p.free(b);
  return pieces.size() * piece;
}

}  // namespace

TEST(IdleCaches, OfManyThreadsLeaveNineTenthsOfThePool) {
  auto& p = untouched_pool(1024_MiB);
  idle_threads const threads{96, [&](std::uint64_t seed) { use_both_faces(p, seed); }};
  ASSERT_EQ(stat(p, pool_stat::bytes_in_use), 0);
  EXPECT_GE(had_in_pieces(p, 4_MiB), 1024_MiB / 10 * 9);
  EXPECT_TRUE(p.free(must_allocate(p, 1024_MiB / 10 * 9)));
}

TEST(IdleCaches, TogetherKeepNoMoreThanTheirShare) {
  auto& p = untouched_pool(256_MiB, std::make_unique<manual_fences>());
  idle_threads const threads{64, [&](std::uint64_t seed) { fill_caches(p, seed); }};
  EXPECT_EQ(stat(p, pool_stat::bytes_in_use), 0);
  EXPECT_GT(stat(p, pool_stat::cached_bytes), 0);
  EXPECT_LE(stat(p, pool_stat::cached_bytes), share_of_caches(256_MiB));
}

TEST(IdleCaches, OfThreadsThatWorkInTurnsKeepAQuarterOfTheirShare) {
  auto& p = untouched_pool(256_MiB, std::make_unique<manual_fences>());
  // In turns, because a cache that is full gives up all of its blocks: which ones are full at the
  // end depends on who takes its part of the share first.
  std::mutex turn;
  idle_threads const threads{64, [&](std::uint64_t seed) {
                               std::lock_guard lock{turn};
                               fill_caches(p, seed);
                             }};
  EXPECT_GT(stat(p, pool_stat::cached_bytes), share_of_caches(256_MiB) / 4);
  EXPECT_LE(stat(p, pool_stat::cached_bytes), share_of_caches(256_MiB));
}

TEST(IdleCaches, AreEmptiedForWhoWouldElseGetNothing) {
  auto& p = pageable_pool(16_MiB);
  idle_threads const threads{4, [&](std::uint64_t) {
                               auto* const a = must_allocate(p, 64);
                               p.free(must_allocate(p, 10'000));
                               p.free(a);
                             }};
  EXPECT_GT(stat(p, pool_stat::cached_bytes), 0);
  EXPECT_TRUE(p.free(must_allocate(p, 16_MiB)));
  EXPECT_EQ(stat(p, pool_stat::cached_bytes), 0);
}

TEST(IdleCaches, AThreadWhoseBlocksWereTakenGoesOn) {
  auto& p = pageable_pool(16_MiB, nullptr, {.size = 0, .max_size = 0, .checks = true});
  std::atomic<bool> stop{false};
  std::atomic<int> refused{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 random{static_cast<std::uint64_t>(t)};
      std::vector<std::pair<unsigned char*, std::size_t>> held;
      while (!stop) {
        auto const bytes = 1 + random() % 4000;
        auto cause = refusal_cause::off;
        auto* const block = static_cast<unsigned char*>(p.allocate(bytes, cause));
        if (block != nullptr) {
          block[0] = block[bytes - 1] = static_cast<unsigned char>(t);
          held.emplace_back(block, bytes);
        }
        if (held.size() < 40) continue;
        for (auto const& [address, length] : held) {
          if (address[0] != t || address[length - 1] != t || !p.free(address)) ++refused;
        }
        held.clear();
      }
      for (auto const& [address, length] : held) p.free(address);
    });
  }
  // Each of these takes what the others' caches keep.
  for (int i = 0; i < 2000; ++i) impl_of(p).heap(client::java).drain_caches();
  stop = true;
  for (auto& t : threads) t.join();
  EXPECT_EQ(refused, 0);
  EXPECT_EQ(stat(p, pool_stat::bytes_in_use), 0);
  EXPECT_TRUE(p.free(must_allocate(p, 16_MiB)));
}

TEST(IdleCaches, ABlockInOneDoesNotKeepAGrownPoolFromShrinking) {
  auto& p = pageable_pool(16_MiB, nullptr, {.size = 0, .max_size = 64_MiB, .extent_bytes = 8_MiB});
  std::vector<void*> held;
  auto cause = refusal_cause::off;
  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (impl_of(p).filler().capacity() < 64_MiB && std::chrono::steady_clock::now() < end) {
    if (auto* const b = p.allocate(2_MiB, cause)) held.push_back(b);
  }
  impl_of(p).filler().await(std::chrono::seconds{10});
  while (auto* const b = p.allocate(2_MiB, cause)) held.push_back(b);
  auto const last = std::max_element(held.begin(), held.end());
  EXPECT_TRUE(p.free(*last));
  held.erase(last);
  // In the last chunk, where alone there is room: of Java one in a cache, and of libcudf none.
  p.free(must_allocate(p, 64));
  EXPECT_EQ(p.allocate_ordered(64, per_thread_stream), nullptr);
  for (auto* const b : held) p.free(b);
  p.free_ordered(p.allocate_ordered(64, per_thread_stream), per_thread_stream);
  p.trim();
  p.trim();
  EXPECT_EQ(impl_of(p).filler().capacity(), 16_MiB);
}

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <set>
#include <thread>
#include <vector>

#include "refusing_system.hpp"
#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

class Refusal : public ::testing::Test {
 protected:
  void TearDown() override { refusing_system::relent(); }
};

/// The k-th allocation and all later ones of each free fail; no block may then have two holders.
void free_without_memory(int nth) {
  SCOPED_TRACE("from allocation " + std::to_string(nth));
  auto* const fences = new manual_fences;
  auto& p = pageable_pool(64_MiB, std::unique_ptr<fence_source>{fences});
  std::vector<void*> java;
  std::vector<void*> ordered;
  for (int i = 0; i < 400; ++i) {
    java.push_back(must_allocate(p, i % 8 == 0 ? 40_KiB : 64));
    ordered.push_back(p.allocate_ordered(i % 8 == 0 ? 40_KiB : 64, per_thread_stream));
  }
  bool accepted = true;
  refusing_system::fail_memory_from(nth);
  for (auto* const b : java) accepted = p.free(b) && accepted;
  for (auto* const b : ordered) accepted = p.free_ordered(b, per_thread_stream) && accepted;
  refusing_system::relent();
  EXPECT_TRUE(accepted);
  fences->pass_all();
  std::multiset<void*> held;
  for (int i = 0; i < 1000; ++i) {
    held.insert(must_allocate(p, 64));
    held.insert(p.allocate_ordered(64, per_thread_stream));
  }
  for (auto* const b : held) EXPECT_EQ(held.count(b), 1U);
}

}  // namespace

TEST_F(Refusal, AFreeWithoutMemoryNeverGivesABlockTwoHolders) {
  for (int nth = 1; nth <= 12; ++nth) free_without_memory(nth);
}

TEST_F(Refusal, AnAllocationWithoutMemoryIsRefusedAndServedLater) {
  auto& p = pageable_pool(16_MiB);
  for (int nth = 1; nth <= 8; ++nth) {
    std::thread{[&] {
      auto cause = refusal_cause::off;
      refusing_system::fail_memory_from(nth);
      auto* const small = p.allocate(100, cause);
      auto* const large = p.allocate(1_MiB, cause);
      refusing_system::relent();
      EXPECT_TRUE(small == nullptr || p.free(small));
      EXPECT_TRUE(large == nullptr || p.free(large));
    }}.join();
  }
  EXPECT_EQ(stat(p, pool_stat::bytes_in_use), 0);
  EXPECT_TRUE(p.free(must_allocate(p, 16_MiB)));
}

TEST_F(Refusal, APoolStartsWithTheThreadsThatCanBeMade) {
  for (int const threads : {0, 1, 2, 4, 7}) {
    SCOPED_TRACE(threads);
    refusing_system::allow_threads(threads);
    auto& p = leaked_pool(
        {.size = 64_MiB, .max_size = 64_MiB, .threads = 4, .extent_bytes = 8_MiB, .reserve = 0});
    EXPECT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
    refusing_system::relent();
    EXPECT_EQ(impl_of(p).filler().state(), pool_state::ready);
    EXPECT_TRUE(p.free(must_allocate(p, 64_MiB)));
  }
}

TEST_F(Refusal, GrowthWithoutAThreadIsTriedAgain) {
  auto& p = pageable_pool(16_MiB, nullptr, {.size = 0, .max_size = 64_MiB, .extent_bytes = 8_MiB});
  auto* const held = must_allocate(p, 16_MiB);
  auto cause = refusal_cause::off;
  refusing_system::allow_threads(0);
  EXPECT_EQ(p.allocate(8_MiB, cause), nullptr);
  EXPECT_TRUE(impl_of(p).filler().await(std::chrono::seconds{10})) << "nothing is being done";
  refusing_system::relent();
  EXPECT_EQ(p.allocate(8_MiB, cause), nullptr) << "but asks for growth";
  EXPECT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  EXPECT_TRUE(p.free(must_allocate(p, 8_MiB)));
  EXPECT_TRUE(p.free(held));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(Refusal, APoolWithoutAddressSpaceIsEmptyAndSaysWhy) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit const tight{32UL << 30, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &tight), 0);
  auto& p = leaked_pool({.size = 64UL << 30, .max_size = 64UL << 30, .fallback_limit = 1_MiB});
  setrlimit(RLIMIT_AS, &before);
  EXPECT_TRUE(impl_of(p).filler().await(std::chrono::seconds{10}));
  EXPECT_EQ(impl_of(p).filler().state(), pool_state::partial);
  EXPECT_EQ(impl_of(p).filler().refusal(), "the system refuses address space");
  auto cause = refusal_cause::off;
  EXPECT_EQ(p.allocate(1000, cause), nullptr);
  EXPECT_EQ(cause, refusal_cause::refused);
  EXPECT_EQ(p.allocate_ordered(1000, per_thread_stream), nullptr);
  EXPECT_FALSE(p.owns(&p));
  EXPECT_EQ(p.max_copy_bytes(&p, 5), 5U);
  p.trim();
  auto* const pageable = p.allocate_waiting(1000, cause, std::chrono::milliseconds{0});
  ASSERT_NE(pageable, nullptr);
  EXPECT_TRUE(impl_of(p).fallback().free(pageable));
}
#endif

}  // namespace mooring

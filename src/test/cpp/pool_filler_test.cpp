// SPDX-License-Identifier: Apache-2.0

#include "pool_filler.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

/// A driver that refuses when the test says so, and tells which threads give memory back.
class moody_source final : public slab_source {
 public:
  void enter_thread() noexcept override { entered = std::this_thread::get_id(); }
  std::string pin(std::byte*, std::size_t) override { return refuses ? "refused" : ""; }
  void unpin(std::byte*) noexcept override {
    if (entered != std::this_thread::get_id()) ++unpinned_elsewhere;
    ++unpinned;
  }

  std::atomic<bool> refuses{false};
  std::atomic<std::thread::id> entered{};
  std::atomic<int> unpinned{0};
  std::atomic<int> unpinned_elsewhere{0};
};

class SlabStarter : public ::testing::Test {
 protected:
  static constexpr std::size_t size = 16_MiB;

  SlabStarter() { filler_.start(size); }
  void SetUp() override { ASSERT_TRUE(filler_.await(std::chrono::seconds{60})); }

  std::size_t grown() {
    filler_.request_growth(8_MiB);
    EXPECT_TRUE(filler_.await(std::chrono::seconds{60}));
    return filler_.capacity();
  }

  /// Lives on, because a thread that has ended the work may not have left it yet.
  struct parts {
    slab memory{64_MiB};
    page_arena arena{};
    registration_boundaries borders{memory.base(), memory.bytes()};
    moody_source source{};
    pool_filler starter{memory,
                        arena,
                        borders,
                        source,
                        {.extent_bytes = 8_MiB,
                         .touch_threads = 2,
                         .pin_threads = 2,
                         .pause = std::chrono::seconds{1}}};
  };
  static parts& made() {
    static auto& all = *new std::vector<std::unique_ptr<parts>>;
    return *all.emplace_back(std::make_unique<parts>());
  }

  parts& parts_ = made();
  moody_source& source_ = parts_.source;
  pool_filler& filler_ = parts_.starter;
};

}  // namespace

TEST_F(SlabStarter, OneRefusalDoesNotEndGrowthForEver) {
  source_.refuses = true;
  EXPECT_EQ(grown(), size);
  EXPECT_EQ(filler_.state(), pool_state::ready) << "it has what it was started with";
  EXPECT_EQ(filler_.refusal(), "refused");
  source_.refuses = false;
  EXPECT_EQ(grown(), size) << "not at once: each try costs the driver's time";
  std::this_thread::sleep_for(std::chrono::milliseconds{1100});
  EXPECT_EQ(grown(), 2 * size);
}

TEST_F(SlabStarter, GivesBackOnAThreadThatHasEnteredTheDevice) {
  ASSERT_EQ(grown(), 2 * size);
  std::thread{[&] { filler_.trim(0); }}.join();
  EXPECT_EQ(filler_.capacity(), size);
  EXPECT_GT(source_.unpinned, 0);
  EXPECT_EQ(source_.unpinned_elsewhere, 0);
}

TEST_F(SlabStarter, NothingIsGivenBackBesideALongBuffer) {
  auto* const source = new moody_source;
  auto& p = leaked_pool({.size = size, .max_size = 64_MiB, .extent_bytes = 8_MiB, .reserve = 0},
                        nullptr, std::unique_ptr<slab_source>{source});
  ASSERT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  auto* const scan = must_allocate(p, 2_MiB);
  auto cause = refusal_cause::off;
  p.allocate(16_MiB, cause);
  ASSERT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  for (int i = 0; i < 3; ++i) p.trim();
  EXPECT_EQ(source->unpinned, 0) << "it would wait for the scan's copies, and the scan for it";
  p.free(scan);
  for (int i = 0; i < 2; ++i) p.trim();
  EXPECT_GT(source->unpinned, 0);
  EXPECT_EQ(impl_of(p).filler().capacity(), size);
}

}  // namespace mooring

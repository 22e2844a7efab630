// SPDX-License-Identifier: Apache-2.0

#include "exchange_schedule.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "pattern.hpp"

namespace mooring::bench {

namespace {

constexpr exchange methods[] = {exchange::left_right, exchange::pairwise, exchange::at_once};

using sent = std::tuple<int, side>;

/// Who has to send where: to every neighbour that there is.
std::map<sent, int> wanted(int devices, bool ring) {
  std::map<sent, int> all;
  for (int i = 0; i < devices && devices > 1; ++i) {
    if (ring || i + 1 < devices) all[{i, side::right}] = (i + 1) % devices;
    if (ring || i > 0) all[{i, side::left}] = (i + devices - 1) % devices;
  }
  return all;
}

class Schedules : public testing::TestWithParam<std::tuple<int, bool, exchange>> {
 protected:
  int devices_ = std::get<0>(GetParam());
  bool ring_ = std::get<1>(GetParam());
  exchange how_ = std::get<2>(GetParam());
  schedule stages_ = exchange_schedule(devices_, ring_, how_);
};

TEST_P(Schedules, EveryNeighbourIsSentToOnce) {
  std::map<sent, int> found;
  std::size_t messages = 0;
  for (auto const& stage : stages_) {
    EXPECT_FALSE(stage.empty());
    for (auto const& m : stage) {
      EXPECT_NE(m.from, m.to);
      found[{m.from, m.towards}] = m.to;
      ++messages;
    }
  }
  EXPECT_EQ(found, wanted(devices_, ring_));
  EXPECT_EQ(messages, found.size()) << "a message is sent twice";
}

TEST_P(Schedules, AStageAsksEachDeviceForNoMoreThanItsMethodSays) {
  auto const most = how_ == exchange::at_once ? 2 : 1;
  for (auto const& stage : stages_) {
    std::map<int, int> leaves, arrives;
    std::set<std::tuple<int, side>> inboxes;
    for (auto const& m : stage) {
      EXPECT_LE(++leaves[m.from], most);
      EXPECT_LE(++arrives[m.to], most);
      EXPECT_TRUE(inboxes.emplace(m.to, opposite(m.towards)).second) << "two into one inbox";
    }
  }
}

TEST_P(Schedules, PartnersOfPairwiseTalkBothWays) {
  if (how_ != exchange::pairwise) return;
  EXPECT_LE(stages_.size(), ring_ && devices_ % 2 == 1 ? 3u : 2u);
  for (auto const& stage : stages_) {
    for (auto const& m : stage) {
      message const back{m.to, m.from, opposite(m.towards)};
      EXPECT_NE(std::find(stage.begin(), stage.end(), back), stage.end());
    }
  }
}

TEST_P(Schedules, LeftRightGoesOneWayAtATime) {
  if (how_ != exchange::left_right || devices_ == 1) return;
  ASSERT_EQ(stages_.size(), 2u);
  for (auto const& m : stages_[0]) EXPECT_EQ(m.towards, side::right);
  for (auto const& m : stages_[1]) EXPECT_EQ(m.towards, side::left);
}

TEST_P(Schedules, InHostMemoryEverythingArrivesWhereItShould) {
  auto const n = static_cast<std::size_t>(devices_);
  constexpr std::size_t words = 257;
  auto const seed_of = [](int device, side towards) {
    return static_cast<std::uint64_t>(2 * device + (towards == side::right));
  };
  // [device][side]
  std::vector<std::vector<std::uint64_t>> out(2 * n), in(2 * n);
  auto const box = [](int device, side s) { return 2 * device + static_cast<int>(s); };
  for (int i = 0; i < devices_; ++i) {
    for (auto s : {side::left, side::right}) {
      auto& data = out[static_cast<std::size_t>(box(i, s))];
      data.resize(words);
      fill_pattern(data.data(), words * 8, seed_of(i, s), 0, 1);
    }
  }
  for (auto const& stage : stages_) {
    for (auto const& m : stage) {
      in[static_cast<std::size_t>(box(m.to, opposite(m.towards)))] =
          out[static_cast<std::size_t>(box(m.from, m.towards))];
    }
  }
  for (auto const& [from, to] : wanted(devices_, ring_)) {
    auto const [device, towards] = from;
    auto const& data = in[static_cast<std::size_t>(box(to, opposite(towards)))];
    ASSERT_EQ(data.size(), words);
    EXPECT_EQ(count_wrong(data.data(), words * 8, seed_of(device, towards), 0, 1), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(OneToEight, Schedules,
                         testing::Combine(testing::Range(1, 9), testing::Bool(),
                                          testing::ValuesIn(methods)));

TEST(ExchangeNames, OthersAreRefused) {
  EXPECT_EQ(exchange_named("pairwise"), exchange::pairwise);
  EXPECT_THROW(exchange_named("sideways"), std::invalid_argument);
}

}  // namespace

}  // namespace mooring::bench

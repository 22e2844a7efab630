// SPDX-License-Identifier: Apache-2.0

#include "halo_model.hpp"

#include <gtest/gtest.h>

#include <random>

#include "exchange_schedule.hpp"
#include "pattern.hpp"

namespace mooring::bench {

namespace {

using words = std::vector<std::uint64_t>;

/// The bands as devices work on them: each with a halo row on both sides, which only messages fill.
class host_halo {
 public:
  host_halo(halo_shape const& shape, std::uint64_t seed)
      : shape_{shape}, stages_{exchange_schedule(shape.devices, false, exchange::left_right)} {
    for (std::size_t i = 0; i < static_cast<std::size_t>(shape_.devices); ++i) {
      auto& band = now_.emplace_back((shape_.rows + 2) * shape_.width);
      fill_pattern(band.data() + shape_.width, shape_.rows * shape_.width * 8, seed,
                   i * shape_.rows * shape_.width, 1);
    }
    next_ = now_;
  }

  std::vector<words> after_all_steps() {
    for (int step = 0; step < shape_.steps; ++step) {
      for (auto const& stage : stages_) {
        for (auto const& m : stage) send(m);
      }
      for (std::size_t i = 0; i < now_.size(); ++i) compute(now_[i], next_[i]);
      now_.swap(next_);
    }
    std::vector<words> bands;
    auto const width = static_cast<std::ptrdiff_t>(shape_.width);
    for (auto const& band : now_) bands.emplace_back(band.begin() + width, band.end() - width);
    return bands;
  }

 private:
  /// Right is down: the last row becomes the halo above the next band.
  void send(message const& m) {
    auto const w = shape_.width, rows = shape_.rows;
    bool const down = m.towards == side::right;
    auto const leaves = now_[static_cast<std::size_t>(m.from)].begin() +
                        static_cast<std::ptrdiff_t>(down ? rows * w : w);
    auto const arrives = now_[static_cast<std::size_t>(m.to)].begin() +
                         static_cast<std::ptrdiff_t>(down ? 0 : (rows + 1) * w);
    std::copy(leaves, leaves + static_cast<std::ptrdiff_t>(w), arrives);
  }

  void compute(words const& from, words& to) const {
    auto const w = shape_.width;
    for (auto i = w; i < (shape_.rows + 1) * w; ++i) {
      to[i] = stencil_word(from[i - w], from[i], from[i + w]);
    }
  }

  halo_shape shape_;
  schedule stages_;
  std::vector<words> now_;
  std::vector<words> next_;
};

class Halos : public testing::TestWithParam<int> {};

TEST_P(Halos, ABandedFieldWithMessagesIsTheWholeField) {
  auto const seed = std::random_device{}();
  std::printf("seed %u\n", seed);
  halo_shape const shape{GetParam(), 2 + seed % 7, 1 + seed % 50, 1 + static_cast<int>(seed % 9)};
  auto bands = host_halo{shape, seed}.after_all_steps();
  EXPECT_EQ(wrong_in_bands(shape, seed, bands, 2), 0u);
  EXPECT_GT(wrong_in_bands(shape, seed + 1, bands, 2), 0u);
  bands.back().back() += 1;
  EXPECT_EQ(wrong_in_bands(shape, seed, bands, 2), 1u);
}

INSTANTIATE_TEST_SUITE_P(OneToEight, Halos, testing::Range(1, 9));

TEST(Halo, AColumnIsComputedByHand) {
  halo_shape const shape{1, 2, 1, 1};
  auto const a = pattern_word(5, 0), b = pattern_word(5, 1);
  EXPECT_EQ(halo_column(shape, 5, 0), (words{3 * a + b, 3 * b + a}));
}

}  // namespace

}  // namespace mooring::bench

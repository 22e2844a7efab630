// SPDX-License-Identifier: Apache-2.0

#include "pattern.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace mooring::bench {

namespace {

std::uint64_t fresh_seed() {
  auto const seed = std::random_device{}();
  std::printf("seed %u\n", seed);
  return seed;
}

std::vector<std::uint64_t> filled(std::size_t words, std::uint64_t seed, std::uint64_t first) {
  std::vector<std::uint64_t> data(words);
  fill_pattern(data.data(), words * 8, seed, first, 4);
  return data;
}

TEST(Pattern, IsSplitmix64) {
  // The first outputs of the published generator for the seed 1234567.
  std::uint64_t const known[] = {6457827717110365317ULL, 3203168211198807973ULL,
                                 9817491932198370423ULL};
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(pattern_word(1234567, i), known[i]);
}

TEST(Pattern, EveryWordIsCheckedWhateverTheThreads) {
  auto const seed = fresh_seed();
  constexpr std::size_t words = 300'001;
  auto data = filled(words, seed, 0);
  for (int threads : {1, 2, 7}) {
    EXPECT_EQ(count_wrong(data.data(), words * 8, seed, 0, threads), 0u);
    EXPECT_EQ(count_wrong(data.data(), words * 8, seed + 1, 0, threads), words);
  }
  for (std::size_t at : {std::size_t{0}, words / 2, words - 1}) {
    data[at] ^= 1ULL << (seed % 64);
    EXPECT_EQ(count_wrong(data.data(), words * 8, seed, 0, 3), 1u) << "word " << at;
    data[at] ^= 1ULL << (seed % 64);
  }
}

TEST(Pattern, PiecesMakeTheWholeAndMovedWordsAreWrong) {
  auto const seed = fresh_seed();
  auto data = filled(1000, seed, 0);
  auto const tail = filled(400, seed, 600);
  EXPECT_TRUE(std::equal(tail.begin(), tail.end(), data.begin() + 600));
  std::swap(data[10], data[11]);
  EXPECT_EQ(count_wrong(data.data(), 8000, seed, 0, 1), 2u);
}

TEST(Pattern, BytesThatLeaveCachesStayAsTheyAre) {
  auto const seed = fresh_seed();
  for (std::size_t words : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
    auto const data = filled(words, seed, 0);
    leave_caches(data.data(), words * 8, 3);
    EXPECT_EQ(count_wrong(data.data(), words * 8, seed, 0, 2), 0u);
  }
}

TEST(Pattern, AShiftedStartIsALargerSeed) {
  auto const seed = fresh_seed();
  for (std::uint64_t n : {0UL, 1UL, 12345UL, 1UL << 40}) {
    EXPECT_EQ(pattern_word(seed + n * 0x9E3779B97F4A7C15ULL, 7), pattern_word(seed, 7 + n));
  }
}

TEST(Pattern, ManyRoundsAtOnceAreTheRoundsOneByOne) {
  auto const start = pattern_word(fresh_seed(), 0);
  auto value = start;
  for (std::uint64_t rounds = 0; rounds < 300; ++rounds) {
    EXPECT_EQ(work_rounds(rounds)(start), value) << rounds << " rounds";
    value = work_round(value);
  }
}

}  // namespace

}  // namespace mooring::bench

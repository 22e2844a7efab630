// SPDX-License-Identifier: Apache-2.0

#include "workers.hpp"

#include <memory>
#include <thread>

#include "crew.hpp"

namespace mooring::bench {

namespace {

using clock = std::chrono::steady_clock;
using seconds_t = std::chrono::duration<double>;

// What calls the driver for each block is so slow that a short period may see nothing of it.
constexpr std::uint64_t enough = 64;
constexpr double most_periods = 10;

std::uint64_t sum(std::vector<std::unique_ptr<worker>> const& all) {
  std::uint64_t total = 0;
  for (auto const& w : all) total += w->count();
  return total;
}

}  // namespace

rate measure(int threads, double seconds, std::function<void(worker&, int)> const& work) {
  std::atomic<phase> now{phase::warm_up};
  std::vector<std::unique_ptr<worker>> all;
  for (int i = 0; i < threads; ++i) all.push_back(std::make_unique<worker>(now));
  auto& shared = crew::shared();
  shared.start(threads, [&](int i) { work(*all[static_cast<std::size_t>(i)], i); });
  std::this_thread::sleep_for(seconds_t{seconds / 4});
  now = phase::measure;
  auto const begin = clock::now();
  auto const before = sum(all);
  rate result;
  do {
    std::this_thread::sleep_for(seconds_t{seconds});
    result.operations = sum(all) - before;
    result.seconds = seconds_t{clock::now() - begin}.count();
  } while (result.operations < enough && result.seconds < most_periods * seconds);
  now = phase::stop;
  shared.join();
  for (auto const& w : all) {
    result.latency.add(w->latency);
    result.refused += w->refused;
  }
  return result;
}

}  // namespace mooring::bench

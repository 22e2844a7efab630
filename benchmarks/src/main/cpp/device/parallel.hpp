// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

namespace mooring::bench {

/// Cuts [0, count) into one range a thread, calls `work(begin, end)` for each, and waits. Short
/// ranges stay on the caller's thread. `work` must not throw.
inline void in_parallel(int threads, std::size_t count,
                        std::function<void(std::size_t, std::size_t)> const& work) {
  constexpr std::size_t worth_a_thread = 1UL << 16;
  auto const parts = std::clamp<std::size_t>(count / worth_a_thread, 1,
                                             static_cast<std::size_t>(std::max(threads, 1)));
  std::vector<std::thread> others;
  for (std::size_t part = 1; part < parts; ++part) {
    others.emplace_back([&, part] { work(count * part / parts, count * (part + 1) / parts); });
  }
  work(0, count / parts);
  for (auto& thread : others) thread.join();
}

}  // namespace mooring::bench

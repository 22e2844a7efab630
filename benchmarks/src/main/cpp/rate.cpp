// SPDX-License-Identifier: Apache-2.0

#include "rate.hpp"

#include <thread>

#include "random.hpp"

namespace mooring::bench {

rate own_thread(arm& arm, bool ordered, int threads, double seconds, std::uint64_t seed) {
  return measure(threads, seconds, [&](worker& me, int index) {
    size_table const sizes{seed + static_cast<std::uint64_t>(index)};
    for (std::uint64_t turn = 0; !me.stopped(); ++turn) {
      auto const bytes = sizes[turn];
      bool served = false;
      me.timed([&] {
        auto* const block = arm.allocate(bytes, ordered);
        if (block == nullptr) return;
        // Memory that is never used costs some allocators nothing.
        *static_cast<char volatile*>(block) = 1;
        arm.free(block, bytes, ordered);
        served = true;
      });
      if (served) {
        me.count_one();
      } else {
        ++me.refused;
        std::this_thread::yield();
      }
    }
  });
}

}  // namespace mooring::bench

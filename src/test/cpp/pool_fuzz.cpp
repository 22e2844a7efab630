#include <cstdint>
#include <cstdlib>
#include <vector>

#include "testing.hpp"

namespace {

struct held {
  void* block;
  std::size_t bytes;
};

/// Each three bytes are one operation: what, and how large or which.
void operate(mooring::pool& p, std::vector<held>& live, std::uint8_t const* op) {
  auto const value = static_cast<std::size_t>(op[1] | op[2] << 8);
  auto cause = mooring::refusal_cause::off;
  if (op[0] % 4 < 2) {
    auto const bytes = (value << (op[0] % 8)) + 1;
    if (auto* const block = p.allocate(bytes, cause)) {
      *static_cast<volatile char*>(block) = 1;
      static_cast<volatile char*>(block)[bytes - 1] = 1;
      live.push_back({block, bytes});
    }
  } else if (!live.empty()) {
    std::swap(live[value % live.size()], live.back());
    if (!p.free(live.back().block)) std::abort();
    live.pop_back();
  }
  if (op[0] == 255) p.trim();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static auto& p = *[] {
    auto* const made = new mooring::pool{
        {.size = 32UL << 20, .max_size = 64UL << 20, .threads = 1, .checks = true}, nullptr};
    made->starter().await(std::chrono::seconds{60});
    return made;
  }();
  std::vector<held> live;
  for (std::size_t i = 0; i + 3 <= size; i += 3) operate(p, live, data + i);
  for (auto const& h : live) {
    if (!p.free(h.block)) std::abort();
  }
  if (p.snapshot()[static_cast<std::size_t>(mooring::stat::bytes_in_use)] != 0) std::abort();
  return 0;
}

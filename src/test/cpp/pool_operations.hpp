// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <memory>
#include <vector>

#include "ordered_model.hpp"

namespace mooring::testing {

/**
 * Reads bytes as operations on one pool, and holds the pool against a model after each: both faces,
 * several streams, small and large blocks, alignments, growth, trims, and frees that must be
 * refused. Four bytes an operation. For one thread.
 */
class pool_operations {
 public:
  pool_operations() : streams_{new stepped_streams}, pool_{*started(streams_)} {}

  /// Runs a sequence, then gives everything back and checks that nothing is left.
  void run(std::uint8_t const* data, std::size_t size) {
    for (std::size_t i = 0; i + 4 <= size; i += 4) operate({data + i, data + i + 4});
    while (!model_.live().empty()) free_block(model_.live().begin(), stream(0));
    settle();
  }

 private:
  using operation = std::vector<std::uint8_t>;

  static constexpr std::size_t start_size = 8UL << 20;
  static constexpr std::size_t most_size = 32UL << 20;
  // One whose blocks are cached, and others.
  static constexpr int stream_count = 4;

  static pool* started(fence_source* fences) {
    auto* const p = new pool_impl{{.size = start_size,
                                   .max_size = most_size,
                                   .threads = 1,
                                   .checks = true,
                                   .extent_bytes = start_size / 4,
                                   .pin_threads = 1},
                                  std::unique_ptr<fence_source>{fences}};
    require(impl_of(*p).filler().await(std::chrono::seconds{60}), "it does not start");
    return p;
  }

  static stream_handle stream(int n) {
    return reinterpret_cast<stream_handle>(0x2L + 0x10L * (n % stream_count));
  }

  void operate(operation const& op) {
    auto const value = static_cast<std::size_t>(op[2] | op[3] << 8);
    switch (op[0] % 16) {
      case 0 ... 3:
        return allocate(value << (op[1] % 8));
      case 4 ... 6:
        return allocate_ordered(value << (op[1] % 8), stream(op[0] / 16), 1UL << (op[1] / 8 % 18));
      case 7 ... 10:
        return free_some(value, stream(op[1]));
      case 11:
        return pass(stream(op[1]), value);
      case 12:
        return impl_of(pool_).heap(client::libcudf).flush();
      case 13:
        return free_wrongly(op[1], value);
      case 14:
        return churn(value << (op[1] % 5), op[1]);
      default:
        return trim();
    }
  }

  void allocate(std::size_t bytes) {
    auto cause = refusal_cause::off;
    auto* const block = pool_.allocate(bytes, cause);
    if (block == nullptr) return await_growth();
    require(reinterpret_cast<std::size_t>(block) % size_classes::alignment == 0, "misaligned");
    added(block, client::java, bytes, nullptr);
  }

  void allocate_ordered(std::size_t bytes, stream_handle on, std::size_t alignment) {
    auto* const block = pool_.allocate_ordered(bytes, on, alignment);
    if (block == nullptr) return await_growth();
    require(reinterpret_cast<std::size_t>(block) % alignment == 0, "misaligned");
    added(block, client::libcudf, bytes, on);
  }

  /// As many blocks of one size as fill magazines.
  void churn(std::size_t bytes, int n) {
    for (int i = 0; i < 40; ++i) {
      if (n % 2 == 0) allocate(bytes % 5000);
      if (n % 2 == 1) allocate_ordered(bytes % 5000, stream(n / 2), 64);
    }
  }

  void added(void* block, client owner, std::size_t bytes, stream_handle on) {
    require(pool_.owns(block), "a block is not the pool's");
    require(owner == client::java || pool_.max_copy_bytes(block, bytes) == bytes,
            "a block of libcudf lies in two registrations");
    model_.allocated(block, owner, bytes, on);
    last_ = block;
  }

  void free_some(std::size_t value, stream_handle on) {
    for (auto n = 1 + value % 64; n > 0 && !model_.live().empty(); --n) {
      auto const which = value++ % std::min<std::size_t>(model_.live().size(), 32);
      free_block(std::next(model_.live().begin(), static_cast<std::ptrdiff_t>(which)), on);
    }
  }

  void free_block(ordered_model::blocks::iterator which, stream_handle on) {
    auto* const address = which->first;
    auto const owner = which->second.owner;
    require(!release(other(owner), address, on), "the other client may free a block");
    model_.freed(which, on, streams_->tick());
    require(release(owner, address, on), "a block in use cannot be freed");
    last_ = address;
  }

  void free_wrongly(int how, std::size_t value) {
    int on_stack = 0;
    std::array<void*, 4> const wrong{&on_stack, nullptr, last_, static_cast<char*>(last_) + value};
    auto* const address = wrong[how % wrong.size()];
    if (model_.is_live(address)) return;
    require(!release(how / 4 % 2 == 0 ? client::java : client::libcudf, address, stream(how)),
            "what is not a block in use can be freed");
  }

  bool release(client owner, void* address, stream_handle on) {
    return owner == client::java ? pool_.free(address) : pool_.free_ordered(address, on);
  }
  static client other(client c) { return c == client::java ? client::libcudf : client::java; }

  void pass(stream_handle on, std::size_t n) {
    if (auto const time = streams_->pass(on, n)) model_.passed(on, time);
  }

  void trim() {
    await_growth();
    pool_.trim();
    auto const in_use = static_cast<std::size_t>(stat(pool_stat::bytes_in_use));
    require(in_use >= model_.bytes_in_use(), "bytes in use are counted short");
    require(impl_of(pool_).filler().capacity() >= start_size, "it has shrunk below its size");
  }

  void await_growth() { impl_of(pool_).filler().await(std::chrono::seconds{60}); }

  void settle() {
    impl_of(pool_).heap(client::java).flush();
    impl_of(pool_).heap(client::libcudf).flush();
    for (int n = 0; n < stream_count; ++n) {
      while (auto const time = streams_->pass(stream(n), SIZE_MAX - 1)) {
        model_.passed(stream(n), time);
      }
    }
    trim();
    // The first keeps what was in use since the last.
    trim();
    require(stat(pool_stat::bytes_in_use) == 0, "bytes are in use that nobody holds");
    require(stat(pool_stat::cached_bytes) == 0, "bytes are cached after a flush");
    require(stat(pool_stat::deferred_bytes) == 0, "bytes wait for marks that passed");
    require(stat(pool_stat::page_bytes_in_use) == 0, "pages are in use that nobody holds");
    require(impl_of(pool_).filler().capacity() == start_size,
            "idle growth has not been given back");
    streams_->reset();
  }

  std::int64_t stat(pool_stat which) const { return pool_.snapshot()[which]; }

  stepped_streams* streams_;
  pool& pool_;
  ordered_model model_;
  void* last_ = nullptr;
};

}  // namespace mooring::testing

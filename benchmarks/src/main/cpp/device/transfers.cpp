// SPDX-License-Identifier: Apache-2.0

#include "transfers.hpp"

#include <exception>
#include <stdexcept>
#include <thread>

#include "kernels.hpp"
#include "pattern.hpp"

namespace mooring::bench {

namespace {

/// Longer than two copies take to enqueue, a helper thread's start included.
constexpr std::uint64_t gate_nanos = 300'000;

}  // namespace

transfers::transfers(int device, std::size_t most, int threads)
    : device_{device},
      most_{most},
      threads_{threads},
      inbox_{(use_device(device), most)},
      outbox_{most} {
  kernels::load();
}

std::string transfers::open(std::string const& kind) {
  auto const half = [&] {
    return make_host_block({.kind = kind, .bytes = most_, .threads = threads_});
  };
  auto& pair = hosts_[kind] = {half(), half()};
  use_device(device_);  // a pool starts on device 0
  return pair.source->remark;
}

transfers::buffers& transfers::of(std::string const& kind) {
  auto const found = hosts_.find(kind);
  if (found == hosts_.end()) throw std::invalid_argument{kind + " is not open"};
  return found->second;
}

sample transfers::copy(std::string const& kind, direction way, std::size_t bytes,
                       std::uint64_t seed) {
  auto& host = of(kind);
  prepare(host, way, bytes, seed);
  auto const seconds = timed(host, way, bytes);
  return {seconds, wrong(host, way, bytes, seed)};
}

sample transfers::plain_loop(direction way, std::size_t bytes, int count, std::uint64_t seed) {
  auto& host = of("cudaHostAlloc");
  prepare(host, way, bytes, seed);
  auto* const source = host.source->spans[0].data();
  auto* const target = host.target->spans[0].data();
  start_.record(up_);
  for (int i = 0; i < count; ++i) {
    auto const status =
        way == direction::h2d
            ? cudaMemcpyAsync(inbox_.get(), source, bytes, cudaMemcpyHostToDevice, up_)
            : cudaMemcpyAsync(target, outbox_.get(), bytes, cudaMemcpyDeviceToHost, up_);
    check(status, "cudaMemcpyAsync");
  }
  stop_.record(up_);
  stop_.synchronize();
  return {stop_.seconds_since(start_) / count, wrong(host, way, bytes, seed)};
}

void transfers::prepare(buffers& host, direction way, std::size_t bytes, std::uint64_t seed) {
  if (goes_up(way)) {
    fill_pattern(*host.source, bytes, seed, threads_);
    leave_caches(*host.source, bytes, threads_);
    check(cudaMemsetAsync(inbox_.get(), 0, bytes, up_), "cudaMemset");
  }
  if (goes_down(way)) {
    clear(*host.target, bytes, threads_);
    leave_caches(*host.target, bytes, threads_);
    kernels::fill(outbox_.get(), bytes, seed + 1, up_);
  }
  up_.synchronize();
}

/// One direction stays on one stream, because a wait between streams takes microseconds.
double transfers::timed(buffers& host, direction way, std::size_t bytes) {
  kernels::spin(gate_nanos, up_);
  start_.record(up_);
  if (way == direction::h2d) up(*host.source, bytes);
  if (way == direction::d2h) down(*host.target, bytes, up_);
  if (way == direction::both) both(host, bytes);
  stop_.record(up_);
  stop_.synchronize();
  return stop_.seconds_since(start_);
}

/// A copy of pageable memory blocks its caller, so that each direction needs a thread.
void transfers::both(buffers& host, std::size_t bytes) {
  down_.await(start_);
  std::exception_ptr failure;
  std::thread helper{[&] {
    try {
      use_device(device_);
      down(*host.target, bytes, down_);
    } catch (...) {
      failure = std::current_exception();
    }
  }};
  try {
    up(*host.source, bytes);
  } catch (...) {
    helper.join();
    throw;
  }
  helper.join();
  if (failure) std::rethrow_exception(failure);
  other_done_.record(down_);
  up_.await(other_done_);
}

void transfers::up(host_block const& source, std::size_t bytes) {
  for_each_span(source, bytes, [&](std::span<std::byte> part, std::size_t at) {
    check(cudaMemcpyAsync(inbox_.get() + at, part.data(), part.size(), cudaMemcpyHostToDevice, up_),
          "copy to the device");
  });
}

void transfers::down(host_block const& target, std::size_t bytes, cudaStream_t on) {
  for_each_span(target, bytes, [&](std::span<std::byte> part, std::size_t at) {
    check(cudaMemcpyAsync(part.data(), outbox_.get() + at, part.size(), cudaMemcpyDeviceToHost, on),
          "copy from the device");
  });
}

std::uint64_t transfers::wrong(buffers& host, direction way, std::size_t bytes,
                               std::uint64_t seed) {
  std::uint64_t wrong = 0;
  if (goes_up(way)) wrong += wrong_on_device(inbox_.get(), bytes, seed);
  if (!goes_down(way)) return wrong;
  if (!host.target->slow_to_read)
    return wrong + count_wrong(*host.target, bytes, seed + 1, threads_);
  // The device reads it back many times faster than the host reads uncached memory.
  up(*host.target, bytes);
  up_.synchronize();
  return wrong + wrong_on_device(inbox_.get(), bytes, seed + 1);
}

}  // namespace mooring::bench

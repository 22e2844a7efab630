// SPDX-License-Identifier: Apache-2.0

#include "node_copies.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <latch>
#include <thread>

#include "kernels.hpp"

namespace mooring::bench {

node_copies::station& node_copies::of(placement p) {
  auto const key = std::pair{p.device, p.node};
  auto found = stations_.find(key);
  if (found == stations_.end()) {
    use_device(p.device);
    auto host = make_host_block(
        {.kind = "registered", .bytes = bytes_, .numa_node = p.node, .threads = threads_});
    found = stations_.emplace(key, station{std::move(host), device_memory{bytes_}, stream{}}).first;
  }
  return found->second;
}

void node_copies::prepare(placement p, direction way, std::uint64_t seed) {
  auto& here = of(p);
  use_device(p.device);
  if (way == direction::h2d) {
    fill_pattern(*here.host, bytes_, seed, threads_);
    check(cudaMemsetAsync(here.device.get(), 0, bytes_, here.on), "cudaMemset");
  } else {
    clear(*here.host, bytes_, threads_);
    kernels::fill(here.device.get(), bytes_, seed, here.on);
  }
  here.on.synchronize();
}

void node_copies::copy(placement p, direction way, int copies) {
  auto& here = of(p);
  auto* const host = here.host->spans[0].data();
  for (int i = 0; i < copies; ++i) {
    auto const status =
        way == direction::h2d
            ? cudaMemcpyAsync(here.device.get(), host, bytes_, cudaMemcpyHostToDevice, here.on)
            : cudaMemcpyAsync(host, here.device.get(), bytes_, cudaMemcpyDeviceToHost, here.on);
    check(status, "cudaMemcpyAsync");
  }
  here.on.synchronize();
}

std::uint64_t node_copies::wrong(placement p, direction way, std::uint64_t seed) {
  auto& here = of(p);
  use_device(p.device);
  return way == direction::h2d ? wrong_on_device(here.device.get(), bytes_, seed)
                               : count_wrong(*here.host, bytes_, seed, threads_);
}

sample node_copies::run(std::vector<placement> const& where, direction way, int copies,
                        std::uint64_t seed) {
  for (auto const& p : where) prepare(p, way, seed + static_cast<std::uint64_t>(p.device));
  sample all{copy_all(where, way, copies), 0};
  for (auto const& p : where) {
    all.wrong_words += wrong(p, way, seed + static_cast<std::uint64_t>(p.device));
  }
  return all;
}

double node_copies::copy_all(std::vector<placement> const& where, direction way, int copies) {
  using clock = std::chrono::steady_clock;
  // Taken by the threads: the caller may be woken late.
  std::vector<clock::time_point> begin(where.size()), end(where.size());
  std::vector<std::exception_ptr> failures(where.size());
  std::latch ready{static_cast<std::ptrdiff_t>(where.size())};
  auto const work = [&](std::size_t i) {
    ready.arrive_and_wait();
    try {
      begin[i] = clock::now();
      use_device(where[i].device);
      copy(where[i], way, copies);
      end[i] = clock::now();
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < where.size(); ++i) threads.emplace_back(work, i);
  }
  for (auto const& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  std::chrono::duration<double> const seconds =
      *std::max_element(end.begin(), end.end()) - *std::min_element(begin.begin(), begin.end());
  return seconds.count();
}

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#include "overlap.hpp"

#include <chrono>
#include <cstring>
#include <stdexcept>

#include "kernels.hpp"
#include "pattern.hpp"

namespace mooring::bench {

namespace {

/// Slots beyond one a staging thread: travelling, waiting, and one to spare.
constexpr std::size_t spare_slots = 4;

/// No more than are needed, so that what is staged stays in the processor's cache until it travels.
std::size_t slots_for(int staging_threads) {
  return static_cast<std::size_t>(staging_threads) + spare_slots;
}

template <class Work>
double seconds_of(Work work) {
  auto const start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>{std::chrono::steady_clock::now() - start}.count();
}

}  // namespace

overlap::overlap(int device, std::size_t bytes, std::size_t chunk, int threads)
    : device_number_{device},
      bytes_{bytes},
      chunk_{chunk},
      threads_{threads},
      slots_{slots_for(threads)},
      pageable_{make_host_block({.kind = "pageable", .bytes = bytes, .threads = threads})},
      ring_{(use_device(device),
             make_host_block({.kind = "registered", .bytes = slots_ * chunk, .threads = threads}))},
      data_{bytes} {
  kernels::load();
  for (std::size_t i = 0; i < slots_; ++i) slot_sent_.emplace_back();
}

std::byte* overlap::source(std::size_t chunk) const {
  return pageable_->spans[0].data() + chunk * chunk_;
}

std::byte* overlap::slot(std::size_t number) const {
  return ring_->spans[0].data() + number * chunk_;
}

staging::steps overlap::steps(bool with_copies) {
  return {.fill = [this](std::size_t chunk,
                         std::size_t to) { std::memcpy(slot(to), source(chunk), chunk_); },
          .free =
              [this, with_copies](std::size_t at) {
                return !with_copies || cudaEventSynchronize(slot_sent_[at]) == cudaSuccess;
              }};
}

double overlap::stage_alone(int staging_threads) {
  return seconds_of([&] {
    staging stage{chunks(), slots_for(staging_threads), staging_threads, steps(false)};
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk) {
      stage.await(chunk);
      stage.issued(chunk);
    }
  });
}

double overlap::dma_alone() {
  return seconds_of([&] {
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk) send(chunk, slot(chunk % slots_));
    copies_.synchronize();
  });
}

double overlap::compute_alone(compute_load load) {
  return seconds_of([&] {
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk) compute(chunk, load, computes_);
    computes_.synchronize();
  });
}

sample overlap::pageable(compute_load load, std::uint64_t seed) {
  prepare(seed);
  auto const seconds = seconds_of([&] {
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk) {
      send(chunk, source(chunk));
      compute(chunk, load, copies_);
      copies_.synchronize();
    }
  });
  return finish(seconds, load, seed);
}

sample overlap::same_thread(compute_load load, std::uint64_t seed) {
  prepare(seed);
  auto const seconds = seconds_of([&] {
    for (std::size_t chunk = 0; chunk < chunks(); ++chunk) {
      std::memcpy(slot(0), source(chunk), chunk_);
      send(chunk, slot(0));
      compute(chunk, load, copies_);
      copies_.synchronize();
    }
  });
  return finish(seconds, load, seed);
}

sample overlap::staged(compute_load load, int staging_threads, std::uint64_t seed) {
  prepare(seed);
  auto const seconds = seconds_of([&] {
    staging stage{chunks(), slots_for(staging_threads), staging_threads, steps(true)};
    feed(stage, load);
    computes_.synchronize();
  });
  return finish(seconds, load, seed);
}

void overlap::feed(staging& from, compute_load load) {
  for (std::size_t chunk = 0; chunk < chunks(); ++chunk) {
    auto const at = from.slot_of(chunk);
    if (!from.await(chunk)) throw std::runtime_error{"a copy from the ring failed"};
    send(chunk, slot(at));
    slot_sent_[at].record(copies_);
    from.issued(chunk);
    computes_.await(slot_sent_[at]);
    compute(chunk, load, computes_);
  }
}

void overlap::prepare(std::uint64_t seed) {
  fill_pattern(*pageable_, bytes_, seed, threads_);
  check(cudaMemsetAsync(data_.get(), 0, bytes_, copies_), "cudaMemset");
  copies_.synchronize();
}

void overlap::send(std::size_t chunk, std::byte* from) {
  check(cudaMemcpyAsync(device(chunk), from, chunk_, cudaMemcpyHostToDevice, copies_),
        "copy to the device");
}

void overlap::compute(std::size_t chunk, compute_load load, cudaStream_t on) {
  if (load.delay) {
    kernels::spin(load.amount, on);
  } else {
    kernels::work(device(chunk), chunk_, load.amount, on);
  }
}

sample overlap::finish(double seconds, compute_load load, std::uint64_t seed) {
  auto const map = load.delay ? affine{} : work_rounds(load.amount);
  return {seconds, wrong_on_device(data_.get(), bytes_, seed, map)};
}

}  // namespace mooring::bench

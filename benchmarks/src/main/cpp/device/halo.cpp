// SPDX-License-Identifier: Apache-2.0

#include "halo.hpp"

#include <stdexcept>
#include <thread>

#include "kernels.hpp"

namespace mooring::bench {

namespace {

constexpr std::uint64_t gate_nanos = 1'000'000;

bool computes(halo_mode m) { return m != halo_mode::exchange_alone; }
bool exchanges(halo_mode m) { return m != halo_mode::compute_alone; }

}  // namespace

halo_mode halo_mode_named(std::string const& name) {
  if (name == "overlapped") return halo_mode::overlapped;
  if (name == "in-turn") return halo_mode::in_turn;
  if (name == "compute") return halo_mode::compute_alone;
  if (name == "exchange") return halo_mode::exchange_alone;
  throw std::invalid_argument{"no halo mode " + name};
}

halo::halo(halo_shape const& shape) : shape_{shape}, hub_{(use_device(0), stream{})} {
  kernels::load();
  for (int i = 0; i < shape_.devices; ++i) {
    use_device(i);
    bands_.emplace_back((shape_.rows + 2) * row_bytes());
  }
  use_device(0);
}

/// Row 0 is the halo above, row 1 the first of the band, row `rows` + 1 the halo below.
std::byte* halo::row(int device, int field, std::size_t index) const {
  return bands_[static_cast<std::size_t>(device)].fields[field].get() + index * row_bytes();
}

sample halo::run(halo_mode mode, std::uint64_t seed) {
  reset(seed);
  use_device(0);
  kernels::spin(gate_nanos, hub_);
  start_.record(hub_);
  release(start_);
  for (int number = 0; number < shape_.steps; ++number) step(number, mode);
  for (auto& b : bands_) {
    for (auto* done : {&b.edges_done, &b.interior_done, &b.sent_up, &b.sent_down})
      hub_.await(*done);
  }
  use_device(0);
  stop_.record(hub_);
  stop_.synchronize();
  bool const whole = mode == halo_mode::overlapped || mode == halo_mode::in_turn;
  return {stop_.seconds_since(start_), whole ? wrong(seed) : 0};
}

/// Fresh fields with zeros in the halos; the halos of the first step come from the pattern itself.
void halo::reset(std::uint64_t seed) {
  auto const words = shape_.width;
  for (int i = 0; i < shape_.devices; ++i) {
    use_device(i);
    auto& b = bands_[static_cast<std::size_t>(i)];
    for (auto& field : b.fields) {
      check(cudaMemsetAsync(field.get(), 0, field.bytes(), b.edges), "cudaMemset");
    }
    bool const above = i > 0, below = i + 1 < shape_.devices;
    auto const before = static_cast<std::size_t>(i) * shape_.rows - above;
    // A pattern that starts `n` words later has a seed that is n increments of splitmix64 larger.
    kernels::fill(row(i, 0, above ? 0 : 1), (shape_.rows + above + below) * row_bytes(),
                  seed + before * words * 0x9E3779B97F4A7C15ULL, b.edges);
    b.edges.synchronize();
  }
}

void halo::release(cudaEvent_t start) {
  for (int i = 0; i < shape_.devices; ++i) {
    use_device(i);
    auto& b = bands_[static_cast<std::size_t>(i)];
    for (auto* on : {&b.edges, &b.interior, &b.send_up, &b.send_down}) on->await(start);
    b.interior_done.record(b.interior);
    b.edges_done.record(b.edges);
    b.sent_up.record(b.send_up);
    b.sent_down.record(b.send_down);
  }
}

void halo::step(int number, halo_mode mode) {
  for (int i = 0; i < shape_.devices && computes(mode); ++i) {
    use_device(i);
    await_arrivals(i);
    compute_edges(i, number);
  }
  for (int i = 0; i < shape_.devices; ++i) {
    use_device(i);
    if (computes(mode)) compute_interior(i, number);
    if (exchanges(mode)) send(i, number, mode);
  }
}

/// Halos come from the neighbours' last sends; what is overwritten was read by the interior's last
/// step and by this device's last sends.
void halo::await_arrivals(int device) {
  auto const i = static_cast<std::size_t>(device);
  auto& own = bands_[i];
  own.edges.await(own.interior_done);
  own.edges.await(own.sent_up);
  own.edges.await(own.sent_down);
  if (i > 0) own.edges.await(bands_[i - 1].sent_down);
  if (i + 1 < bands_.size()) own.edges.await(bands_[i + 1].sent_up);
}

void halo::compute_edges(int device, int number) {
  auto& own = bands_[static_cast<std::size_t>(device)];
  int const from = number % 2, to = 1 - from;
  for (auto index : {std::size_t{1}, shape_.rows}) {
    kernels::stencil(row(device, to, index), row(device, from, index), row_bytes(), shape_.width,
                     own.edges);
  }
  own.edges_done.record(own.edges);
}

void halo::compute_interior(int device, int number) {
  auto& own = bands_[static_cast<std::size_t>(device)];
  int const from = number % 2, to = 1 - from;
  own.interior.await(own.edges_done);
  if (shape_.rows > 2) {
    kernels::stencil(row(device, to, 2), row(device, from, 2), (shape_.rows - 2) * row_bytes(),
                     shape_.width, own.interior);
  }
  own.interior_done.record(own.interior);
}

void halo::send(int device, int number, halo_mode mode) {
  auto& own = bands_[static_cast<std::size_t>(device)];
  int const to = 1 - number % 2;
  for (auto* on : {&own.send_up, &own.send_down}) {
    on->await(own.edges_done);
    if (mode == halo_mode::in_turn) on->await(own.interior_done);
  }
  if (device > 0) {
    send_row(device, device - 1, row(device - 1, to, shape_.rows + 1), row(device, to, 1),
             own.send_up, own.sent_up);
  }
  if (device + 1 < shape_.devices) {
    send_row(device, device + 1, row(device + 1, to, 0), row(device, to, shape_.rows),
             own.send_down, own.sent_down);
  }
}

void halo::send_row(int from, int to, std::byte* arrives, std::byte* leaves, stream& on,
                    event& done) {
  check(cudaMemcpyPeerAsync(arrives, to, leaves, from, row_bytes(), on), "cudaMemcpyPeerAsync");
  done.record(on);
}

std::uint64_t halo::wrong(std::uint64_t seed) {
  std::vector<std::vector<std::uint64_t>> bands;
  for (int i = 0; i < shape_.devices; ++i) {
    use_device(i);
    auto& host = bands.emplace_back(shape_.rows * shape_.width);
    check(cudaMemcpy(host.data(), row(i, shape_.steps % 2, 1), shape_.rows * row_bytes(),
                     cudaMemcpyDeviceToHost),
          "copy of a band");
  }
  use_device(0);
  auto const threads = static_cast<int>(std::thread::hardware_concurrency());
  return wrong_in_bands(shape_, seed, bands, threads);
}

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halo_model.hpp"
#include "handles.hpp"
#include "sample.hpp"

namespace mooring::bench {

/// Which parts of a step run, and how. The parts alone give times to hold the whole against; their
/// results mean nothing and are not verified.
enum class halo_mode { overlapped, in_turn, compute_alone, exchange_alone };

/// @throws std::invalid_argument
halo_mode halo_mode_named(std::string const& name);

/**
 * Steps of a stencil over a field that is spread over devices. A step computes the two rows at the
 * edges of each band, sends them to the neighbours, and computes the rows between: at the same time
 * (`overlapped`), or before the exchange (`in_turn`). One caller at a time.
 */
class halo {
 public:
  explicit halo(halo_shape const& shape);

  /// All steps, from a fresh field; the whole field is verified at the end.
  sample run(halo_mode mode, std::uint64_t seed);

 private:
  /// One device's band, twice, each with a halo row above and below.
  struct band {
    device_memory fields[2];
    stream edges;
    stream interior;
    stream send_up;
    stream send_down;
    event edges_done;
    event interior_done;
    event sent_up;
    event sent_down;

    explicit band(std::size_t bytes) : fields{device_memory{bytes}, device_memory{bytes}} {}
  };

  std::byte* row(int device, int field, std::size_t index) const;
  std::size_t row_bytes() const { return shape_.width * sizeof(std::uint64_t); }
  void reset(std::uint64_t seed);
  void release(cudaEvent_t start);
  void step(int number, halo_mode mode);
  void compute_edges(int device, int number);
  void compute_interior(int device, int number);
  void send(int device, int number, halo_mode mode);
  void send_row(int from, int to, std::byte* arrives, std::byte* leaves, stream& on, event& done);
  void await_arrivals(int device);
  std::uint64_t wrong(std::uint64_t seed);

  halo_shape shape_;
  std::vector<band> bands_;
  stream hub_;
  event start_{cudaEventDefault};
  event stop_{cudaEventDefault};
};

}  // namespace mooring::bench

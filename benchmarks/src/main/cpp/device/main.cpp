// SPDX-License-Identifier: Apache-2.0

// Everything that needs devices, in one process. It says how many there are; then each line of
// standard input is a request, answered by one line of JSON (several for lists), until the input
// ends:
//   devices
//   transfer setup DEVICE MOST_BYTES THREADS | open KIND | copy KIND WAY BYTES SEED
//            | plain WAY BYTES COUNT SEED
//   overlap setup DEVICE BYTES CHUNK_BYTES THREADS | stage THREADS | dma | compute LOAD AMOUNT
//           | run METHOD LOAD AMOUNT THREADS SEED
//   numa setup BYTES THREADS | run WAY COPIES SEED DEVICE NODE [DEVICE NODE]...
//   p2p links | setup DEVICES MOST_BYTES | access on|off | send BYTES SEED FROM TO [FROM TO]...
//       | exchange line|ring HOW DEVICES BYTES SEED | halo-setup DEVICES ROWS WIDTH_WORDS STEPS
//       | halo MODE SEED
// WAY: H2D, D2H or both. LOAD: work or delay.
#include <cuda_runtime_api.h>
#include <unistd.h>

#include <iostream>
#include <sstream>

#include "requests.hpp"

namespace {

using namespace mooring::bench;

void answer(std::string const& request) {
  std::istringstream in{request};
  auto const what = next<std::string>(in);
  if (what == "devices") return answer_devices();
  if (what == "transfer") return answer_transfer(in);
  if (what == "overlap") return answer_overlap(in);
  if (what == "numa") return answer_numa(in);
  if (what == "p2p") return answer_p2p(in);
  throw std::invalid_argument{"no request " + what};
}

/// Whether there is anything to measure; says so, or why not.
bool hello() {
  int count = 0;
  auto const status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    auto const* const reason = status == cudaSuccess ? "no device" : cudaGetErrorString(status);
    json_line{}.add("unavailable", std::string{reason}).print();
    return false;
  }
  json_line{}.add("devices", static_cast<std::uint64_t>(count)).print();
  return true;
}

void serve() {
  for (std::string request; std::getline(std::cin, request);) try {
      answer(request);
    } catch (std::exception const& e) {
      json_line{}.add("error", std::string{e.what()}).print();
    }
}

}  // namespace

int main() {
  if (hello()) serve();
  // Pools are never destroyed, and their threads may be at work.
  std::fflush(stdout);
  _exit(0);
}

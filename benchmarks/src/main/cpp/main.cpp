// SPDX-License-Identifier: Apache-2.0

// One allocator in one process. Options make it; then each line of standard input is a request,
// answered by one line of JSON (several for `copy`), until the input ends:
//   rate own|ring|cross buffers|libcudf THREADS SECONDS SEED
//   mixed THREADS SECONDS OPERATIONS POOL_BYTES LARGEST_BYTES SEED
//   peak FILE
//   trace FILE
//   copy BYTES REPETITIONS
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "arm.hpp"
#include "bandwidth.hpp"
#include "json_line.hpp"
#include "mixed.hpp"
#include "rate.hpp"
#include "trace_replay.hpp"

namespace {

using namespace mooring::bench;
using clock = std::chrono::steady_clock;

double since(clock::time_point start) {
  return std::chrono::duration<double>{clock::now() - start}.count();
}

void add(json_line& to, histogram const& h) {
  to.add("samples", h.count()).add("p50_ns", h.percentile(0.5)).add("p90_ns", h.percentile(0.9));
  to.add("p99_ns", h.percentile(0.99)).add("p999_ns", h.percentile(0.999)).add("max_ns", h.most());
}

void add(json_line& to, std::optional<fragmentation> const& pool) {
  if (!pool) return;
  to.add("free_bytes", pool->free).add("largest_free_run_bytes", pool->largest_free_run);
}

void answer_rate(arm& a, std::istream& in) {
  std::string mode, face;
  int threads = 0;
  double seconds = 0;
  std::uint64_t seed = 0;
  in >> mode >> face >> threads >> seconds >> seed;
  bool const ordered = face == "libcudf";
  auto const r = mode == "own"
                     ? own_thread(a, ordered, threads, seconds, seed)
                     : through_ring(a, ordered, mode == "cross", threads, seconds, seed);
  json_line line;
  line.add("operations", r.operations).add("seconds", r.seconds).add("refused", r.refused);
  add(line, r.latency);
  line.print();
}

void answer_mixed(arm& a, std::istream& in) {
  mixed_options o{};
  in >> o.threads >> o.seconds >> o.operations >> o.pool >> o.largest >> o.seed;
  auto const r = mixed_run(a, o);
  json_line line;
  line.add("operations", r.operations).add("seconds", r.seconds).add("refused", r.refused);
  line.add("live_blocks", r.live).add("requested_bytes", r.requested);
  if (r.granted > 0) line.add("granted_bytes", r.granted);
  line.add("usable_bytes", r.usable);
  add(line, r.pool);
  line.print();
}

void answer_peak(std::istream& in) {
  std::string file;
  std::getline(in >> std::ws, file);
  auto const t = read_trace(file);
  json_line line;
  line.add("peak_bytes", t.peak_bytes).add("operations", t.steps);
  line.add("allocations", static_cast<std::uint64_t>(t.bytes.size()));
  line.add("threads", static_cast<std::uint64_t>(t.threads.size()));
  line.add("foreign_frees", t.foreign_frees).print();
}

void answer_trace(arm& a, std::istream& in) {
  std::string file;
  std::getline(in >> std::ws, file);
  auto const t = read_trace(file);
  auto const r = replay(a, t);
  json_line line;
  line.add("operations", t.steps).add("seconds", r.seconds).add("refused", r.refused);
  line.add("peak_bytes", t.peak_bytes).add("requested_bytes", r.requested);
  if (r.granted > 0) line.add("granted_bytes", r.granted);
  add(line, r.allocations);
  add(line, r.pool);
  line.print();
}

void answer_copy(arm& a, std::istream& in) {
  std::size_t bytes = 0;
  int repetitions = 0;
  in >> bytes >> repetitions;
  if (!has_gpu()) throw unavailable{"needs a GPU"};
  for (auto const& c : copy_both(a, bytes, repetitions)) {
    json_line line;
    line.add("direction", c.direction).add("of_arm", c.from_arm).add("seconds", c.seconds).print();
  }
  json_line{}.add("end", true).print();
}

void answer(arm& a, std::string const& request) {
  std::istringstream in{request};
  std::string what;
  in >> what;
  if (what == "rate") return answer_rate(a, in);
  if (what == "mixed") return answer_mixed(a, in);
  if (what == "peak") return answer_peak(in);
  if (what == "trace") return answer_trace(a, in);
  if (what == "copy") return answer_copy(a, in);
  throw std::runtime_error{"no request " + what};
}

/// Makes the arm and says how long it took to its first buffer, and to all of its memory.
arm& open(arm_options const& options) {
  constexpr std::size_t first = 1UL << 20;
  has_gpu();
  auto const start = clock::now();
  auto& a = make_arm(options);
  void* block = nullptr;
  double first_seconds = 0;
  if (options.pool > 0) {
    while (block == nullptr && since(start) < 300) block = a.allocate(first, false);
    first_seconds = since(start);
    a.await();
  }
  auto const ready = since(start);
  if (block != nullptr) a.free(block, first, false);
  json_line line;
  line.add("ready_seconds", ready).add("first_seconds", first_seconds).add("pinned", a.pinned());
  line.print();
  return a;
}

arm_options parse(int argc, char** argv) {
  arm_options o;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string const key = argv[i], value = argv[i + 1];
    if (key == "--arm") o.name = value;
    if (key == "--pool") o.pool = std::strtoull(value.c_str(), nullptr, 10);
    if (key == "--threads") o.threads = std::atoi(value.c_str());
    if (key == "--peers") o.peers = value;
    if (key == "--libcudf") o.libcudf = value;
  }
  return o;
}

void serve(arm_options const& options) try {
  auto& a = open(options);
  for (std::string request; std::getline(std::cin, request);) try {
      answer(a, request);
    } catch (std::exception const& e) {
      json_line{}.add("error", std::string{e.what()}).print();
    }
} catch (unavailable const& e) {
  json_line{}.add("unavailable", std::string{e.what()}).print();
} catch (std::exception const& e) {
  json_line{}.add("error", std::string{e.what()}).print();
}

}  // namespace

int main(int argc, char** argv) {
  serve(parse(argc, argv));
  // Pools are never destroyed, and their threads may be at work.
  std::fflush(stdout);
  _exit(0);
}

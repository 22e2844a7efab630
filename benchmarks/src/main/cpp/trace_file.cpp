// SPDX-License-Identifier: Apache-2.0

#include "trace_file.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unordered_map>

#include "trace/trace_recorder.hpp"

namespace mooring::bench {

namespace {

std::vector<trace_record> records_of(std::string const& file) {
  std::ifstream in{file, std::ios::binary};
  auto const name = std::filesystem::path{file}.filename().string();
  if (!in) throw std::runtime_error{"cannot read " + name};
  char magic[8] = {};
  std::uint64_t count = 0;
  in.read(magic, sizeof magic);
  in.read(reinterpret_cast<char*>(&count), sizeof count);
  if (!in || std::memcmp(magic, "MOORTRC1", sizeof magic) != 0) {
    throw std::runtime_error{name + " is no allocation trace"};
  }
  std::vector<trace_record> records;
  trace_record next{};
  while (records.size() < count && in.read(reinterpret_cast<char*>(&next), sizeof next)) {
    records.push_back(next);
  }
  if (records.size() < count) throw std::runtime_error{name + " ends before its last record"};
  return records;
}

class builder {
 public:
  void add(trace_record const& r) {
    bool const is_free = r.op == trace_op::free || r.op == trace_op::free_ordered;
    bool const ordered = r.op == trace_op::allocate_ordered || r.op == trace_op::free_ordered;
    if (is_free) {
      add_free(r, ordered);
    } else {
      add_allocation(r, ordered);
    }
  }

  trace take() { return std::move(out_); }

 private:
  void add_allocation(trace_record const& r, bool ordered) {
    auto const block = static_cast<std::uint32_t>(out_.bytes.size());
    out_.bytes.push_back(r.bytes);
    out_.ordered.push_back(ordered);
    live_[r.address] = block;
    held_ += r.bytes;
    out_.peak_bytes = std::max(out_.peak_bytes, held_);
    step(r.thread, block, false, ordered);
  }

  void add_free(trace_record const& r, bool ordered) {
    auto const found = live_.find(r.address);
    if (found == live_.end()) {
      ++out_.foreign_frees;
      return;
    }
    held_ -= out_.bytes[found->second];
    step(r.thread, found->second, true, ordered);
    live_.erase(found);
  }

  void step(std::uint32_t thread, std::uint32_t block, bool is_free, bool ordered) {
    if (thread >= out_.threads.size()) out_.threads.resize(thread + 1UL);
    out_.threads[thread].push_back({out_.steps++, block, is_free, ordered});
  }

  trace out_;
  std::unordered_map<std::uint64_t, std::uint32_t> live_;
  std::uint64_t held_ = 0;
};

}  // namespace

trace read_trace(std::string const& file) {
  builder b;
  for (auto const& r : records_of(file)) b.add(r);
  auto result = b.take();
  std::erase_if(result.threads, [](auto const& steps) { return steps.empty(); });
  if (result.bytes.empty()) throw std::runtime_error{"the trace holds no allocation"};
  return result;
}

}  // namespace mooring::bench

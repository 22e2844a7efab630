// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <vector>

#include "pool_impl.hpp"

namespace mooring::testing {

inline void require(bool good, char const* what) {
  if (good) return;
  std::fprintf(stderr, "The pool is wrong: %s\n", what);
  std::abort();
}

/// Streams whose work is done when the test says so, stream by stream and mark by mark.
class stepped_streams final : public fence_source {
 public:
  struct mark {
    stream_handle stream;
    std::uint64_t time;
    bool passed;
  };

  fence_handle record(device_stream on) noexcept override {
    marks_.push_back({on.stream, ++time_, false});
    return reinterpret_cast<fence_handle>(marks_.size());
  }
  bool passed(fence_handle fence) noexcept override {
    return marks_[reinterpret_cast<std::size_t>(fence) - 1].passed;
  }
  void recycle(fence_handle fence) noexcept override {
    require(passed(fence), "a mark is given back that has not passed");
  }

  std::uint64_t tick() { return ++time_; }

  /// Lets a stream reach the n-th of its marks, counted round. @return that mark's time, or 0
  std::uint64_t pass(stream_handle stream, std::size_t n) {
    std::vector<mark*> pending;
    for (auto& m : marks_) {
      if (m.stream == stream && !m.passed) pending.push_back(&m);
    }
    if (pending.empty()) return 0;
    auto const last = n % pending.size();
    for (std::size_t i = 0; i <= last; ++i) pending[i]->passed = true;
    return pending[last]->time;
  }

  /// Forgets all marks; none may be asked for again.
  void reset() { marks_.clear(); }

 private:
  std::vector<mark> marks_;
  std::uint64_t time_ = 0;
};

/**
 * What the pool may hand out: blocks in use, and blocks that libcudf has freed while their stream
 * still reads them. Each is stamped at both ends and in the middle. Aborts when the pool breaks the
 * contract.
 */
class ordered_model {
 public:
  struct block {
    client owner;
    stream_handle stream;  ///< that reads it, once it is freed
    std::size_t bytes;
    std::uint64_t time;  ///< of its free
    unsigned char stamp;
  };
  using blocks = std::map<std::byte*, block>;

  void allocated(void* address, client owner, std::size_t bytes, stream_handle stream) {
    auto* const at = static_cast<std::byte*>(address);
    bytes = bytes == 0 ? 1 : bytes;
    require(overlap(live_, at, bytes) == live_.end(), "two blocks in use overlap");
    for (auto busy = overlap(in_flight_, at, bytes); busy != in_flight_.end();
         busy = overlap(in_flight_, at, bytes)) {
      require(owner == client::libcudf && busy->second.stream == stream,
              "a block is handed out while another stream reads it");
      check_stamp(*busy);
      in_flight_.erase(busy);
    }
    block const b{owner, nullptr, bytes, 0, ++next_stamp_};
    write_stamp(*live_.emplace(at, b).first);
    bytes_in_use_ += bytes;
  }

  /// A block in use is about to be freed; `time` is that of the free.
  void freed(blocks::iterator which, stream_handle stream, std::uint64_t time) {
    check_stamp(*which);
    auto entry = *which;
    bytes_in_use_ -= entry.second.bytes;
    live_.erase(which);
    if (entry.second.owner == client::java) return;
    entry.second.stream = stream;
    entry.second.time = time;
    in_flight_.insert(entry);
  }

  /// The stream has done what was enqueued before `time`.
  void passed(stream_handle stream, std::uint64_t time) {
    for (auto b = in_flight_.begin(); b != in_flight_.end();) {
      bool const done = b->second.stream == stream && b->second.time < time;
      if (done) check_stamp(*b);
      b = done ? in_flight_.erase(b) : std::next(b);
    }
  }

  bool is_live(void const* address) const {
    return live_.count(static_cast<std::byte*>(const_cast<void*>(address))) != 0;
  }
  blocks& live() { return live_; }
  std::size_t bytes_in_use() const { return bytes_in_use_; }

 private:
  static blocks::iterator overlap(blocks& in, std::byte* at, std::size_t bytes) {
    auto const next = in.lower_bound(at);
    if (next != in.end() && next->first < at + bytes) return next;
    if (next == in.begin()) return in.end();
    auto const before = std::prev(next);
    return before->first + before->second.bytes > at ? before : in.end();
  }

  static void write_stamp(blocks::value_type const& b) {
    for (auto const i : {std::size_t{0}, b.second.bytes / 2, b.second.bytes - 1}) {
      b.first[i] = std::byte{b.second.stamp};
    }
  }
  static void check_stamp(blocks::value_type const& b) {
    for (auto const i : {std::size_t{0}, b.second.bytes / 2, b.second.bytes - 1}) {
      require(b.first[i] == std::byte{b.second.stamp}, "a byte has changed");
    }
  }

  blocks live_;
  blocks in_flight_;
  std::size_t bytes_in_use_ = 0;
  unsigned char next_stamp_ = 0;
};

}  // namespace mooring::testing

// SPDX-License-Identifier: Apache-2.0

#include "trace_recorder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>

namespace mooring::bench {

/// Written by one thread; the lock is for the dump, and free nearly always.
struct trace_recorder::list {
  std::uint32_t thread;
  std::mutex mutex{};
  std::vector<trace_record> records{};
};

void trace_recorder::start() {
  std::lock_guard lock{mutex_};
  for (auto& l : lists_) {
    std::lock_guard list_lock{l->mutex};
    l->records.clear();
  }
  started_ = std::chrono::steady_clock::now();
  on_ = true;
}

trace_recorder::list& trace_recorder::list_of_thread() {
  // There is one recorder a process, so one list a thread is enough.
  thread_local std::shared_ptr<list> mine;
  if (mine == nullptr) {
    std::lock_guard lock{mutex_};
    mine = std::shared_ptr<list>{new list{static_cast<std::uint32_t>(lists_.size())}};
    lists_.push_back(mine);
  }
  return *mine;
}

void trace_recorder::append(trace_op op, void const* address, std::size_t bytes) noexcept try {
  auto const nanos = std::chrono::steady_clock::now() - started_.load(std::memory_order_relaxed);
  auto& l = list_of_thread();
  std::lock_guard lock{l.mutex};
  l.records.push_back({static_cast<std::uint64_t>(std::chrono::nanoseconds{nanos}.count()),
                       reinterpret_cast<std::uint64_t>(address), bytes, l.thread, op});
} catch (std::bad_alloc const&) {
  // A trace with a gap would replay wrongly: it ends here.
  on_ = false;
}

std::vector<trace_record> trace_recorder::gather() {
  std::vector<trace_record> all;
  std::lock_guard lock{mutex_};
  for (auto& l : lists_) {
    std::lock_guard list_lock{l->mutex};
    all.insert(all.end(), l->records.begin(), l->records.end());
  }
  std::stable_sort(all.begin(), all.end(),
                   [](auto const& a, auto const& b) { return a.nanos < b.nanos; });
  return all;
}

void trace_recorder::dump(std::string const& file) {
  on_ = false;
  auto const all = gather();
  std::uint64_t const count = all.size();
  std::ofstream out{file, std::ios::binary | std::ios::trunc};
  out.write("MOORTRC1", 8);
  out.write(reinterpret_cast<char const*>(&count), sizeof count);
  out.write(reinterpret_cast<char const*>(all.data()),
            static_cast<std::streamsize>(count * sizeof(trace_record)));
  out.flush();
  if (!out) throw std::runtime_error{"Cannot write " + file + ": " + std::strerror(errno)};
}

}  // namespace mooring::bench

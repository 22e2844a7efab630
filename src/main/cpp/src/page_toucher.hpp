// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

#include "slab.hpp"
#include "slab_source.hpp"

namespace mooring {

/// Starts up to `count` threads; fewer where the system makes no more. They are joined at the end.
template <typename Work>
std::vector<std::jthread> threads_of(int count, Work work) {
  std::vector<std::jthread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  try {
    for (int i = 0; i < count; ++i) threads.emplace_back(work);
  } catch (std::exception const&) {
    // No thread, or no memory for one.
  }
  return threads;
}

/**
 * Touches a range stripe by stripe, in order, with several threads, and reports progress. The
 * threads wait for start(), because creating a thread waits for all that are faulting pages in.
 * Where no thread can be created, `await` touches the range itself.
 */
class page_toucher {
 public:
  /// A huge page: the threads stay close together, and none of them shares a page with another.
  static constexpr std::size_t stripe = slab::huge_page;

  /// Touches the bytes [from, to) of the slab at `base`.
  page_toucher(slab_source& source, std::byte* base, std::size_t from, std::size_t to, int threads)
      : source_{source},
        base_{base},
        from_{from},
        to_{to},
        next_{from},
        done_((to - from + stripe - 1) / stripe),
        threads_{threads_of(threads, [this] { wait_and_work(); })} {}

  void start() {
    started_ = true;
    started_.notify_all();
  }

  ~page_toucher() {
    stop_ = true;
    start();
  }

  page_toucher(page_toucher const&) = delete;
  page_toucher& operator=(page_toucher const&) = delete;

  /// Waits until a range is touched.
  void await(std::size_t offset, std::size_t bytes) {
    if (threads_.empty()) work(offset + bytes);
    auto const last = (std::min(offset + bytes, to_) - from_ + stripe - 1) / stripe;
    for (auto i = (offset - from_) / stripe; i < last; ++i) done_[i].wait(false);
  }

 private:
  void wait_and_work() {
    started_.wait(false);
    work(to_);
  }

  void work(std::size_t end) {
    while (next_ < end) {
      auto const at = next_.fetch_add(stripe);
      if (at >= to_ || stop_) return;
      source_.touch(base_ + at, std::min(stripe, to_ - at));
      auto& mark = done_[(at - from_) / stripe];
      mark = true;
      mark.notify_all();
    }
  }

  slab_source& source_;
  std::byte* base_;
  std::size_t from_;
  std::size_t to_;
  std::atomic<std::size_t> next_;
  std::atomic<bool> started_{false};
  std::atomic<bool> stop_{false};
  std::vector<std::atomic<bool>> done_;
  std::vector<std::jthread> threads_;  // last: they use the others
};

}  // namespace mooring

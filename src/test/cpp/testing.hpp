// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "pool_impl.hpp"
#include "thread_cache.hpp"

namespace mooring::testing {

constexpr std::size_t operator""_KiB(unsigned long long n) { return n << 10; }
constexpr std::size_t operator""_MiB(unsigned long long n) { return n << 20; }

/// Fences that pass when the test says so.
class manual_fences final : public fence_source {
 public:
  fence_handle record(device_stream on) noexcept override {
    std::lock_guard lock{mutex_};
    if (broken_) return nullptr;
    ++recorded_;
    last_device_ = on.device;
    last_stream_ = on.stream;
    return reinterpret_cast<fence_handle>(++last_);
  }
  bool passed(fence_handle fence) noexcept override {
    std::lock_guard lock{mutex_};
    return reinterpret_cast<std::size_t>(fence) <= passed_;
  }
  void recycle(fence_handle) noexcept override { ++recycled_; }
  bool drain(int) noexcept override { return drainable_; }

  void pass_all() {
    std::lock_guard lock{mutex_};
    passed_ = last_;
  }
  void break_down() { broken_ = true; }
  void allow_drain() { drainable_ = true; }
  std::size_t recorded() const { return recorded_; }
  std::size_t recycled() const { return recycled_; }
  int last_device() const { return last_device_; }
  stream_handle last_stream() const { return last_stream_; }

 private:
  std::mutex mutex_;
  std::size_t last_ = 0;
  std::size_t passed_ = 0;
  std::size_t recorded_ = 0;
  std::atomic<std::size_t> recycled_{0};
  int last_device_ = -1;
  stream_handle last_stream_ = nullptr;
  bool broken_ = false;
  bool drainable_ = false;
};

/// Puts the calling thread on a device, and back at the end.
class on_device {
 public:
  explicit on_device(int device) : before_{thread_device()} { set_thread_device(device); }
  ~on_device() { set_thread_device(before_); }
  on_device(on_device const&) = delete;
  on_device& operator=(on_device const&) = delete;

 private:
  int before_;
};

/// A pool that lives as long as the process, as in production.
inline pool& leaked_pool(pool_options const& options,
                         std::unique_ptr<fence_source> fences = nullptr,
                         std::unique_ptr<slab_source> source = nullptr) {
  // Keeps them reachable, so that a leak checker is silent.
  static auto& all = *new std::vector<pool*>;
  all.push_back(new pool_impl{options, std::move(fences), std::move(source)});
  return *all.back();
}

/// A pool over pageable memory that is ready. Java may have all of it, unless the options say
/// otherwise.
inline pool& pageable_pool(std::size_t size, std::unique_ptr<fence_source> fences = nullptr,
                           pool_options options = {}) {
  options.size = size;
  if (!options.reserve) options.reserve = 0;
  options.max_size = std::max(options.max_size, size);
  options.threads = 2;
  auto& p = leaked_pool(options, std::move(fences));
  EXPECT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
  return p;
}

inline void* must_allocate(pool& p, std::size_t bytes) {
  auto cause = refusal_cause::off;
  auto* const block = p.allocate(bytes, cause);
  EXPECT_NE(block, nullptr) << "cause " << static_cast<int>(cause);
  return block;
}

inline std::int64_t stat(pool const& p, pool_stat which) { return p.snapshot()[which]; }

}  // namespace mooring::testing

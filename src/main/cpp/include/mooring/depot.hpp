#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "mooring/export.hpp"
#include "mooring/fence.hpp"

namespace mooring {

/// A mark shared by everything that was freed before it; given back when the last of it is reused.
class shared_fence {
 public:
  shared_fence(fence_source& source, fence_handle handle) : source_{source}, handle_{handle} {}
  ~shared_fence() { source_.recycle(handle_); }
  shared_fence(shared_fence const&) = delete;
  shared_fence& operator=(shared_fence const&) = delete;

  bool passed() const noexcept { return source_.passed(handle_); }

 private:
  fence_source& source_;
  fence_handle handle_;
};

using fence_ptr = std::shared_ptr<shared_fence>;

/**
 * Some free blocks of one size class that move between a thread and the depot together. The
 * addresses stand here and not inside the blocks: a copy in flight may still use those.
 */
struct magazine {
  static constexpr std::uint32_t most_blocks = 32;

  std::array<void*, most_blocks> blocks;
  std::uint32_t count = 0;
  fence_ptr fence;  ///< null: the blocks are idle

  bool ready() const { return fence == nullptr || fence->passed(); }
};

using magazine_ptr = std::unique_ptr<magazine>;

/// The free magazines of one size class. Thread-safe; fences are asked outside its lock.
class MOORING_EXPORT depot {
 public:
  void put(magazine_ptr full);

  /// A magazine whose fence has passed, or null. Those that have not are skipped, never waited for.
  magazine_ptr take_ready();

  /// Everything, ready or not.
  std::vector<magazine_ptr> take_all();

 private:
  magazine_ptr pop();

  std::mutex mutex_;
  std::deque<magazine_ptr> magazines_;
};

}  // namespace mooring

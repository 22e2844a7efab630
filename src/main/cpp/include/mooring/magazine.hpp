#pragma once

#include <array>
#include <cstdint>
#include <memory>

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
  static constexpr std::uint32_t most_blocks = 128;

  std::uint32_t count = 0;
  fence_ptr fence;  ///< null: the blocks are idle
  std::unique_ptr<magazine> next;
  std::array<void*, most_blocks> blocks;

  bool ready() const { return fence == nullptr || fence->passed(); }
};

using magazine_ptr = std::unique_ptr<magazine>;

}  // namespace mooring

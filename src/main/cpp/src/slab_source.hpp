// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>

#include "mooring/export.hpp"

namespace mooring {

/**
 * Makes ranges of a slab usable. Implementations are thread-safe for ranges that do not
 * overlap, throw nothing across threads, and are called under no lock of the pool.
 */
class MOORING_EXPORT slab_source {
 public:
  virtual ~slab_source() = default;

  /// Called once by each thread before its first range.
  virtual void enter_thread() noexcept {}

  /// Takes memory for a range by writing to it.
  virtual void touch(std::byte* base, std::size_t bytes) noexcept;

  /// Pins a touched range; the empty string, or why it was refused.
  virtual std::string pin(std::byte* base, std::size_t bytes) = 0;

  virtual void unpin(std::byte* base) noexcept = 0;

  /// Gives the memory of an unpinned range back to the system.
  virtual void discard(std::byte* base, std::size_t bytes) noexcept;
};

/// Memory that stays pageable: for machines without a GPU, and tests.
class MOORING_EXPORT pageable_slab_source : public slab_source {
 public:
  std::string pin(std::byte*, std::size_t) override { return {}; }
  void unpin(std::byte*) noexcept override {}
};

/// Memory registered with the CUDA driver, for all devices.
class MOORING_EXPORT registered_slab_source : public slab_source {
 public:
  /// @param device whose context registers
  explicit registered_slab_source(int device) : device_{device} {}

  void enter_thread() noexcept override;
  std::string pin(std::byte* base, std::size_t bytes) override;
  void unpin(std::byte* base) noexcept override;

 private:
  int device_;
};

}  // namespace mooring

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace mooring::bench {

/// How a pool stands at one moment, in bytes.
struct fragmentation {
  std::uint64_t free;
  std::uint64_t largest_free_run;
};

/**
 * An allocator under test. `ordered` asks for the libcudf face where an allocator has two; the
 * others ignore it. Thread-safe, and never destroyed.
 */
class arm {
 public:
  /// A block of at least `bytes`, or null when there is no memory for it.
  virtual void* allocate(std::size_t bytes, bool ordered) noexcept = 0;
  virtual void free(void* block, std::size_t bytes, bool ordered) noexcept = 0;

  /// Waits until all that was asked for at the start is usable.
  virtual void await() {}

  /// What a request takes, rounding included, in bytes; 0 when the allocator does not tell.
  virtual std::size_t granted(std::size_t, bool) const { return 0; }

  virtual std::optional<fragmentation> fragments() const { return {}; }

  /// How many of the `bytes` at `address` one copy may take.
  virtual std::size_t max_copy_bytes(void const*, std::size_t bytes) const { return bytes; }

  /// Whether a GPU's driver has pinned the memory.
  virtual bool pinned() const { return true; }

 protected:
  ~arm() = default;
};

/// How an arm is made. Sizes in bytes.
struct arm_options {
  std::string name;
  std::size_t pool = 0;  ///< what it takes at start
  int threads = 1;       ///< that touch memory at start
  std::string peers;     ///< folder with the modules of the peers
  std::string libcudf;   ///< the file libcudf.so
};

/// Why an arm cannot be measured on this machine.
class unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whether this process can use a GPU; the first call makes the CUDA context.
bool has_gpu();

/// @throws unavailable when this machine lacks what it needs, std::runtime_error when it fails
arm& make_arm(arm_options const& options);

arm& make_mooring_arm(arm_options const& options);
arm& make_host_alloc_arm(arm_options const& options);
arm& make_malloc_arm(arm_options const& options);
arm& make_registered_arm(arm_options const& options);

/// What a peer's module exports under the name `make_peer`; null when it fails.
using make_peer_function = arm*(std::size_t pool);

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstdint>

namespace mooring {

/// Where a test may have a fault; the order is that of FaultJni.Point.
enum class fault_point : int {
  set_device,
  take_event,
  record_event,
  sync_event,
  copy_to_device,
  copy_to_host,
  sync_stream,
  ask_context,
  host_register,
  decode,
  count
};

/**
 * Faults that a call of the CUDA runtime is to have instead of its own answer. Errors are its
 * codes, 0 is none. After one of those that, as its reference says, the process does not recover
 * from, every point has that error until `clear`. Thread-safe.
 */
class faults {
 public:
  /// The error that a call is to have instead of its own.
  static int next(fault_point point) noexcept {
    return armed.load(std::memory_order_relaxed) ? told(point) : 0;
  }

  /// Has `times` calls fail, the first of them the `nth` from now on, counted from 1.
  static void fail(fault_point point, std::int64_t nth, std::int64_t times, int error) noexcept;

  /// How many calls have had an error instead of their own since the last `clear`.
  static std::int64_t fired() noexcept;

  /// All calls are as they are again.
  static void clear() noexcept;

 private:
  static int told(fault_point point) noexcept;

  static std::atomic<bool> armed;
};

}  // namespace mooring

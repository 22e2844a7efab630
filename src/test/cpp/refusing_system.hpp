// SPDX-License-Identifier: Apache-2.0

#pragma once

namespace mooring::testing {

/// What the system refuses to this process, in place of what it would really give. Only in the
/// program that links refusing_system.cpp.
struct refusing_system {
  /// Has all threads after the next `count` be refused, as with a full pids cgroup.
  static void allow_threads(int count);

  /// Has the calling thread's allocations fail, the first of them the `nth` from now on.
  static void fail_memory_from(int nth);

  /// Everything is as it is again.
  static void relent();
};

}  // namespace mooring::testing

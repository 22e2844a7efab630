// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "mooring/export.hpp"

namespace mooring {

/// To be called by each thread before it uses a GPU; cheap when repeated. Its end is then subject
/// to skip_thread_cleanup().
MOORING_EXPORT void guard_thread_exit() noexcept;

/// Makes guarded threads skip the cleanup of libraries at their end from now on: there the CUDA
/// driver would wait, spinning, for streams of a lost context. Memory that the libraries keep for
/// such a thread is leaked. Thread-safe; lasts as long as the process.
MOORING_EXPORT void skip_thread_cleanup() noexcept;

}  // namespace mooring

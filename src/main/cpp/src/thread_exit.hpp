// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "mooring/export.hpp"

namespace mooring {

/// To be called by each thread before it uses a GPU; cheap when repeated. Its end is then subject
/// to skip_thread_cleanup().
MOORING_EXPORT void guard_thread_exit() noexcept;

/// From here on guarded threads end without what libraries do at the end of a thread: the CUDA
/// driver waits there, spinning, for streams of a context that is lost. What the libraries keep for
/// such a thread is leaked. Thread-safe; lasts as long as the process.
MOORING_EXPORT void skip_thread_cleanup() noexcept;

}  // namespace mooring

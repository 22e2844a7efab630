// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <jni.h>

#include "trace_recorder.hpp"

namespace mooring::bench {

/// The recorder of this process, made at the first call.
trace_recorder& recorder();

/// Whether an address is the pool's.
bool is_pooled(void const* address);

/// Puts the recorder in front of PoolJni's allocations and frees, which Java's buffers come from.
void bind_traced_calls(JNIEnv* env, jclass pool);

/// Puts the recorder in front of libcudf's pinned resource, where the process has loaded libcudf.
void trace_libcudf();

}  // namespace mooring::bench

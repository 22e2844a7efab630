// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <initializer_list>

#include "cuda_calls.hpp"
#include "faults/faults.hpp"

namespace mooring::jni {

/// Throws the fault that a test has asked for at a point, as our own calls throw CUDA's errors.
inline void raise_fault(fault_point point) {
  check(static_cast<cudaError_t>(faults::next(point)));
}

/// As `raise_fault`, but want of memory is thrown as libcudf does.
inline void raise_decode_fault() {
  auto const status = static_cast<cudaError_t>(faults::next(fault_point::decode));
  if (status == cudaErrorMemoryAllocation) {
    throw java_exception{"java/lang/OutOfMemoryError",
                         std::string{"Fault of a test: "} + cudaGetErrorString(status)};
  }
  check(status);
}

/// Binds native methods of a class anew; the JVM lets that happen at any time.
inline void bind(JNIEnv* env, jclass owner, std::initializer_list<JNINativeMethod> methods) {
  if (owner != nullptr) {
    env->RegisterNatives(owner, methods.begin(), static_cast<jint>(methods.size()));
  }
}

/// An entry of `bind`.
template <typename Function>
JNINativeMethod method(char const* name, char const* signature, Function* function) {
  return {const_cast<char*>(name), const_cast<char*>(signature),
          reinterpret_cast<void*>(function)};
}

/// Puts faults in front of TransferJni's methods, and into the pool that PoolJni starts.
void bind_faulty_calls(JNIEnv* env);

}  // namespace mooring::jni

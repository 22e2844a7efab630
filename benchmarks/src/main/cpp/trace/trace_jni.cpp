// SPDX-License-Identifier: Apache-2.0

// The native methods of AllocationTrace.
#include <exception>
#include <mutex>
#include <string>

#include "traced_calls.hpp"

namespace {

void raise(JNIEnv* env, char const* class_name, std::exception const& e) {
  if (jclass const c = env->FindClass(class_name)) env->ThrowNew(c, e.what());
}

}  // namespace

extern "C" {

JNIEXPORT void JNICALL
Java_io_mooring_benchmarks_worker_jvm_AllocationTrace_record(JNIEnv* env, jclass, jclass pool) {
  try {
    static std::once_flag once;
    std::call_once(once, [&] {
      mooring::bench::bind_traced_calls(env, pool);
      mooring::bench::trace_libcudf();
    });
    mooring::bench::recorder().start();
  } catch (std::exception const& e) {
    raise(env, "java/lang/IllegalStateException", e);
  }
}

/// @param file the bytes of its name: JNI's own text is not UTF-8 beyond the basic plane
JNIEXPORT void JNICALL Java_io_mooring_benchmarks_worker_jvm_AllocationTrace_writeNamed(
    JNIEnv* env, jclass, jbyteArray file) {
  try {
    std::string name(static_cast<std::size_t>(env->GetArrayLength(file)), '\0');
    env->GetByteArrayRegion(file, 0, static_cast<jsize>(name.size()),
                            reinterpret_cast<jbyte*>(name.data()));
    mooring::bench::recorder().dump(name);
  } catch (std::exception const& e) {
    raise(env, "java/io/IOException", e);
  }
}

}  // extern "C"

// SPDX-License-Identifier: Apache-2.0

#include "traced_calls.hpp"

#include "loaded.hpp"

namespace mooring::bench {

namespace {

using alloc_call = jlong(JNIEnv*, jclass, jlong);
using alloc_fallback_call = jlong(JNIEnv*, jclass, jlong, jint, jlong);
using free_call = void(JNIEnv*, jclass, jlong);
using owns_call = jboolean(JNIEnv*, jclass, jlong);

template <typename Function>
Function* of_pool(std::string const& name) {
  return loaded<Function>("libmooring.so", ("Java_io_mooring_jni_PoolJni_" + name).c_str());
}

void* at(jlong address) { return reinterpret_cast<void*>(address); }

void record_allocation(jlong address, jlong bytes) {
  if (address > 0 && is_pooled(at(address))) {
    recorder().record(trace_op::allocate, at(address), static_cast<std::size_t>(bytes));
  }
}

jlong alloc(JNIEnv* env, jclass c, jlong bytes) {
  static auto* const call = of_pool<alloc_call>("alloc");
  auto const address = call(env, c, bytes);
  record_allocation(address, bytes);
  return address;
}

jlong alloc_fallback(JNIEnv* env, jclass c, jlong bytes, jint cause, jlong millis) {
  static auto* const call = of_pool<alloc_fallback_call>("allocFallback");
  auto const address = call(env, c, bytes, cause, millis);
  record_allocation(address, bytes);
  return address;
}

void free(JNIEnv* env, jclass c, jlong address) {
  static auto* const call = of_pool<free_call>("free");
  // Before the free: after it another thread's allocation of the block could be recorded first.
  if (is_pooled(at(address))) recorder().record(trace_op::free, at(address), 0);
  call(env, c, address);
}

template <typename Function>
JNINativeMethod method(char const* name, char const* signature, Function* function) {
  return {const_cast<char*>(name), const_cast<char*>(signature),
          reinterpret_cast<void*>(function)};
}

}  // namespace

trace_recorder& recorder() {
  // Never destroyed: threads record until the process is gone.
  static auto& one = *new trace_recorder;
  return one;
}

bool is_pooled(void const* address) {
  // It asks nothing of the JVM.
  static auto* const call = of_pool<owns_call>("owns");
  return call(nullptr, nullptr, reinterpret_cast<jlong>(address)) != 0;
}

void bind_traced_calls(JNIEnv* env, jclass pool) {
  JNINativeMethod const methods[] = {method("alloc", "(J)J", alloc),
                                     method("allocFallback", "(JIJ)J", alloc_fallback),
                                     method("free", "(J)V", free)};
  env->RegisterNatives(pool, methods, 3);
}

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>

#include <array>
#include <bit>
#include <chrono>
#include <vector>

#include "io_mooring_jni_PoolJni.h"
#include "jni_support.hpp"
#include "mooring/pool.hpp"
#include "numa.hpp"
#include "pool_options_jni.hpp"

namespace {

using namespace mooring;
using jni::guarded;
using jni::to_array;

constexpr char const* not_in_use =
    "Not a buffer in use: it was freed before, or is not of this pool";

/// The value that `alloc` returns for a refusal; FallbackCause.ofRefusal decodes it.
jlong refusal_result(refusal_cause cause) { return -static_cast<jlong>(cause); }

pool& started_pool() {
  auto* const p = process_pool();
  if (p == nullptr) throw std::logic_error{"The pool has not been started"};
  return *p;
}

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL Java_io_mooring_jni_PoolJni_deviceCount(JNIEnv*, jclass) {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

JNIEXPORT jstring JNICALL Java_io_mooring_jni_PoolJni_deviceProblem(JNIEnv* env, jclass) {
  int count = 0;
  auto const status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return nullptr;
  return env->NewStringUTF(status == cudaSuccess ? "no CUDA device" : cudaGetErrorString(status));
}

JNIEXPORT jint JNICALL Java_io_mooring_jni_PoolJni_numaNode(JNIEnv* env, jclass, jint device) {
  return guarded(env, [&] { return numa_node_of_device(device); });
}

JNIEXPORT jboolean JNICALL Java_io_mooring_jni_PoolJni_readsRegisteredMemory(JNIEnv*, jclass,
                                                                             jint device) {
  int value = 0;
  auto const status =
      cudaDeviceGetAttribute(&value, cudaDevAttrCanUseHostPointerForRegisteredMem, device);
  return status == cudaSuccess && value != 0;
}

JNIEXPORT jboolean JNICALL Java_io_mooring_jni_PoolJni_mayBindMemory(JNIEnv*, jclass) {
  return may_bind_memory();
}

JNIEXPORT jboolean JNICALL Java_io_mooring_jni_PoolJni_startFilling(JNIEnv* env, jclass,
                                                                    jobject options) {
  return guarded(
      env, [&]() -> jboolean { return start_process_pool(jni::pool_options_of(env, options)); });
}

JNIEXPORT jlong JNICALL Java_io_mooring_jni_PoolJni_alloc(JNIEnv*, jclass, jlong bytes) {
  auto* const p = process_pool();
  auto cause = refusal_cause::off;
  if (p == nullptr || bytes < 0) return refusal_result(cause);
  auto* const block = p->allocate(static_cast<std::size_t>(bytes), cause);
  return block == nullptr ? refusal_result(cause) : reinterpret_cast<jlong>(block);
}

JNIEXPORT void JNICALL Java_io_mooring_jni_PoolJni_free(JNIEnv* env, jclass, jlong address) {
  auto* const p = process_pool();
  if (p == nullptr || !p->free(jni::pointer<void>(address))) {
    jni::raise(env, "java/lang/IllegalStateException", not_in_use);
  }
}

JNIEXPORT jlong JNICALL Java_io_mooring_jni_PoolJni_makeEvictable(JNIEnv* env, jclass,
                                                                  jlong address) {
  return guarded(env, [&] {
    return static_cast<jlong>(started_pool().make_evictable(jni::pointer<void>(address)));
  });
}

JNIEXPORT jboolean JNICALL Java_io_mooring_jni_PoolJni_acquireEvictable(JNIEnv*, jclass, jlong id) {
  auto* const p = process_pool();
  return p != nullptr && p->acquire_evictable(static_cast<evictable_id>(id));
}

JNIEXPORT void JNICALL Java_io_mooring_jni_PoolJni_releaseEvictable(JNIEnv* env, jclass, jlong id) {
  guarded(env, [&] { started_pool().release_evictable(static_cast<evictable_id>(id)); });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_PoolJni_evict(JNIEnv* env, jclass, jlong id) {
  guarded(env, [&] { started_pool().evict(static_cast<evictable_id>(id)); });
}

JNIEXPORT jlongArray JNICALL Java_io_mooring_jni_PoolJni_takeEvicted(JNIEnv* env, jclass) {
  return guarded(env, [&] {
    auto const ids = started_pool().take_evicted();
    return to_array(env, std::vector<std::int64_t>(ids.begin(), ids.end()));
  });
}

JNIEXPORT jlong JNICALL Java_io_mooring_jni_PoolJni_allocFallback(JNIEnv* env, jclass, jlong bytes,
                                                                  jint cause, jlong millis) {
  return guarded(env, [&]() -> jlong {
    auto* const block = started_pool().allocate_waiting(
        jni::to_size(bytes), static_cast<refusal_cause>(cause), std::chrono::milliseconds{millis});
    return reinterpret_cast<jlong>(block);
  });
}

JNIEXPORT jboolean JNICALL Java_io_mooring_jni_PoolJni_owns(JNIEnv*, jclass, jlong address) {
  return process_pool() != nullptr && process_pool()->owns(jni::pointer<void>(address));
}

JNIEXPORT void JNICALL Java_io_mooring_jni_PoolJni_freeFallback(JNIEnv* env, jclass, jlong address,
                                                                jlong) {
  guarded(env, [&] {
    bool const good = started_pool().free_fallback(jni::pointer<void>(address));
    if (!good) throw std::logic_error{not_in_use};
  });
}

JNIEXPORT jlongArray JNICALL Java_io_mooring_jni_PoolJni_stats(JNIEnv* env, jclass) {
  return guarded(env, [&] {
    auto const now = process_pool() == nullptr ? pool_snapshot{} : process_pool()->snapshot();
    auto const values =
        std::bit_cast<std::array<std::int64_t, sizeof now / sizeof(std::int64_t)>>(now);
    return to_array(env, values);
  });
}

JNIEXPORT jlongArray JNICALL Java_io_mooring_jni_PoolJni_takeRegistrations(JNIEnv* env, jclass) {
  return guarded(env, [&] {
    std::vector<std::int64_t> fields;
    for (auto const& r : started_pool().take_registrations()) {
      fields.insert(fields.end(),
                    {static_cast<std::int64_t>(r.where.offset),
                     static_cast<std::int64_t>(r.where.bytes), r.since_start, r.took});
    }
    return to_array(env, fields);
  });
}

JNIEXPORT jstring JNICALL Java_io_mooring_jni_PoolJni_refusal(JNIEnv* env, jclass) {
  return guarded(env, [&]() -> jstring {
    auto const why = started_pool().refusal();
    return why.empty() ? nullptr : env->NewStringUTF(why.c_str());
  });
}

JNIEXPORT jboolean JNICALL Java_io_mooring_jni_PoolJni_awaitStarted(JNIEnv* env, jclass,
                                                                    jlong millis) {
  return guarded(env, [&]() -> jboolean {
    return started_pool().await_filled(std::chrono::milliseconds{millis});
  });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_PoolJni_trim(JNIEnv* env, jclass) {
  guarded(env, [&] { started_pool().trim(); });
}

}  // extern "C"

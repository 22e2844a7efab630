// SPDX-License-Identifier: Apache-2.0

#include <array>

#include "cuda_calls.hpp"
#include "device_guard.hpp"
#include "event_pool.hpp"
#include "io_mooring_jni_TransferJni.h"
#include "mooring/pool.hpp"
#include "numa.hpp"
#include "registration_boundaries.hpp"
#include "thread_cache.hpp"
#include "thread_exit.hpp"

namespace {

using mooring::jni::check;
using mooring::jni::elements;
using mooring::jni::guarded;
using mooring::jni::to_array;

// TransferJni.java has CUDA's constants by value.
static_assert(io_mooring_jni_TransferJni_HOST_TO_DEVICE == cudaMemcpyHostToDevice);
static_assert(io_mooring_jni_TransferJni_DEVICE_TO_HOST == cudaMemcpyDeviceToHost);
static_assert(io_mooring_jni_TransferJni_SCHEDULE_SPIN == cudaDeviceScheduleSpin);
static_assert(io_mooring_jni_TransferJni_SCHEDULE_YIELD == cudaDeviceScheduleYield);
static_assert(io_mooring_jni_TransferJni_SCHEDULE_BLOCKING_SYNC == cudaDeviceScheduleBlockingSync);

cudaStream_t stream_of(jlong handle) { return mooring::jni::pointer<CUstream_st>(handle); }
mooring::pooled_event* event_of(jlong handle) {
  return mooring::jni::pointer<mooring::pooled_event>(handle);
}

/// Never destroyed: I/O threads use it while the process ends.
mooring::event_pool& events() {
  // Blocking: a waiting I/O thread must not take a core from Spark.
  static auto& all = *new mooring::event_pool{cudaEventBlockingSync};
  return all;
}

void copy(jlong dst, jlong src, jlong bytes, jint kind, jlong stream) {
  auto* const to = mooring::jni::pointer<std::byte>(dst);
  auto const* const from = mooring::jni::pointer<std::byte>(src);
  auto const direction = static_cast<cudaMemcpyKind>(kind);
  auto const one = [&](std::size_t at, std::size_t part) {
    check(cudaMemcpyAsync(to + at, from + at, part, direction, stream_of(stream)));
  };
  auto const length = mooring::jni::to_size(bytes);
  auto const* const pool = mooring::process_pool();
  if (pool == nullptr) return one(0, length);
  mooring::for_each_part(*pool, direction == cudaMemcpyHostToDevice ? from : to, length, one);
}

/// The status of a device's context. Clears errors of earlier calls.
cudaError_t ask_context(int device) {
  mooring::device_guard const current{device};
  auto const status =
      current.good() ? cudaStreamSynchronize(cudaStreamPerThread) : current.status();
  cudaGetLastError();
  return status;
}

}  // namespace

extern "C" {

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_initDevice(JNIEnv* env, jclass, jint device,
                                                                  jint schedule) {
  guarded(env, [&] {
    auto const flags = static_cast<unsigned>(schedule) & cudaDeviceScheduleMask;
    auto const status = cudaInitDevice(device, flags, cudaInitDeviceFlagsAreValid);
    if (status != cudaSuccess) cudaGetLastError();
  });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_setDevice(JNIEnv* env, jclass, jint device) {
  guarded(env, [&] {
    mooring::guard_thread_exit();
    check(cudaSetDevice(device));
    mooring::set_thread_device(device, mooring::numa_node_of_device(device));
  });
}

JNIEXPORT jlongArray JNICALL Java_io_mooring_jni_TransferJni_memoryInfo(JNIEnv* env, jclass,
                                                                        jint device) {
  return guarded(env, [&] {
    mooring::device_guard const current{device};
    check(current.status());
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    std::array const bytes{static_cast<std::int64_t>(free), static_cast<std::int64_t>(total)};
    return to_array(env, bytes);
  });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_copyAsync(JNIEnv* env, jclass, jlong dst,
                                                                 jlong src, jlong bytes, jint kind,
                                                                 jlong stream) {
  guarded(env, [&] { copy(dst, src, bytes, kind, stream); });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_copyManyAsync(JNIEnv* env, jclass,
                                                                     jlongArray dst, jlongArray src,
                                                                     jlongArray bytes, jint kind,
                                                                     jlong stream) {
  guarded(env, [&] {
    auto const to = elements(env, dst);
    auto const from = elements(env, src);
    auto const sizes = elements(env, bytes);
    if (to.size() != from.size() || to.size() != sizes.size()) {
      throw std::invalid_argument{"The arrays differ in length"};
    }
    for (std::size_t i = 0; i < to.size(); ++i) copy(to[i], from[i], sizes[i], kind, stream);
  });
}

JNIEXPORT jlong JNICALL Java_io_mooring_jni_TransferJni_takeEvent(JNIEnv* env, jclass) {
  return guarded(env, [&]() -> jlong {
    int device = 0;
    check(cudaGetDevice(&device));
    mooring::pooled_event* taken = nullptr;
    check(events().take(device, taken));
    return reinterpret_cast<jlong>(taken);
  });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_recordEvent(JNIEnv* env, jclass, jlong event,
                                                                   jlong stream) {
  guarded(env, [&] { check(cudaEventRecord(event_of(event)->handle, stream_of(stream))); });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_syncEvent(JNIEnv* env, jclass, jlong event) {
  guarded(env, [&] { check(cudaEventSynchronize(event_of(event)->handle)); });
}

JNIEXPORT jboolean JNICALL Java_io_mooring_jni_TransferJni_hasPassed(JNIEnv* env, jclass,
                                                                     jlong event) {
  return guarded(env, [&]() -> jboolean {
    auto const status = cudaEventQuery(event_of(event)->handle);
    if (status == cudaErrorNotReady) {
      cudaGetLastError();
      return JNI_FALSE;
    }
    check(status);
    return JNI_TRUE;
  });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_recycleEvent(JNIEnv* env, jclass,
                                                                    jlong event) {
  guarded(env, [&] { events().recycle(event_of(event)); });
}

JNIEXPORT jlong JNICALL Java_io_mooring_jni_TransferJni_createStream(JNIEnv* env, jclass) {
  return guarded(env, [&]() -> jlong {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return reinterpret_cast<jlong>(stream);
  });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_syncStream(JNIEnv* env, jclass,
                                                                  jlong stream) {
  guarded(env, [&] { check(cudaStreamSynchronize(stream_of(stream))); });
}

JNIEXPORT jstring JNICALL Java_io_mooring_jni_TransferJni_contextProblem(JNIEnv* env, jclass,
                                                                         jint device) {
  return guarded(env, [&]() -> jstring {
    // The first call may return the error of an earlier call; an error that comes twice is
    // permanent.
    ask_context(device);
    auto const status = ask_context(device);
    if (status == cudaSuccess || status == cudaErrorMemoryAllocation) return nullptr;
    return env->NewStringUTF(mooring::jni::error_text(status).c_str());
  });
}

}  // extern "C"

#include <vector>

#include "cuda_calls.hpp"
#include "io_mooring_jni_TransferJni.h"
#include "mooring/current_device.hpp"
#include "mooring/numa.hpp"
#include "mooring/pool.hpp"
#include "mooring/thread_cache.hpp"
#include "mooring/thread_exit.hpp"

namespace {

using mooring::answer;
using mooring::fault_point;
using mooring::jni::answer_after;
using mooring::jni::check;
using mooring::jni::guarded;

cudaStream_t stream_of(jlong handle) { return mooring::jni::pointer<CUstream_st>(handle); }
cudaEvent_t event_of(jlong handle) { return mooring::jni::pointer<CUevent_st>(handle); }

std::vector<jlong> elements(JNIEnv* env, jlongArray array) {
  std::vector<jlong> out(static_cast<std::size_t>(env->GetArrayLength(array)));
  env->GetLongArrayRegion(array, 0, static_cast<jsize>(out.size()), out.data());
  return out;
}

void copy_stretch(jlong dst, jlong src, std::size_t bytes, jint kind, jlong stream) {
  auto const point =
      kind == cudaMemcpyHostToDevice ? fault_point::copy_to_device : fault_point::copy_to_host;
  check(answer(point, [&] {
    return cudaMemcpyAsync(mooring::jni::pointer<void>(dst), mooring::jni::pointer<void>(src),
                           bytes, static_cast<cudaMemcpyKind>(kind), stream_of(stream));
  }));
}

void copy(jlong dst, jlong src, jlong bytes, jint kind, jlong stream) {
  auto const* const pool = mooring::process_pool();
  for (auto left = mooring::jni::to_size(bytes); left > 0;) {
    auto const host = kind == cudaMemcpyHostToDevice ? src : dst;
    auto const part = pool == nullptr ? left : pool->reach(mooring::jni::pointer<void>(host), left);
    copy_stretch(dst, src, part, kind, stream);
    dst += static_cast<jlong>(part);
    src += static_cast<jlong>(part);
    left -= part;
  }
}

/// What any call of a device's context answers. Takes errors of earlier calls away.
cudaError_t ask_context(int device) {
  mooring::current_device const current{device};
  auto const status = answer(fault_point::ask_context, [&] {
    return current.good() ? cudaStreamSynchronize(cudaStreamPerThread) : current.status();
  });
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
    check(answer(fault_point::set_device, [&] { return cudaSetDevice(device); }));
    mooring::set_thread_device(device, mooring::known_node_of_device(device));
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

JNIEXPORT jlong JNICALL Java_io_mooring_jni_TransferJni_createEvent(JNIEnv* env, jclass) {
  return guarded(env, [&]() -> jlong {
    cudaEvent_t event = nullptr;
    // Blocking: a waiting I/O thread must not take a core from Spark.
    check(answer(fault_point::create_event, [&] {
      return cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync);
    }));
    return reinterpret_cast<jlong>(event);
  });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_recordEvent(JNIEnv* env, jclass, jlong event,
                                                                   jlong stream) {
  guarded(env, [&] {
    check(answer(fault_point::record_event,
                 [&] { return cudaEventRecord(event_of(event), stream_of(stream)); }));
  });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_syncEvent(JNIEnv* env, jclass, jlong event) {
  guarded(env, [&] {
    check(answer_after(fault_point::sync_event,
                       [&] { return cudaEventSynchronize(event_of(event)); }));
  });
}

JNIEXPORT jboolean JNICALL Java_io_mooring_jni_TransferJni_hasPassed(JNIEnv* env, jclass,
                                                                     jlong event) {
  return guarded(env, [&]() -> jboolean {
    auto const status = cudaEventQuery(event_of(event));
    if (status == cudaErrorNotReady) {
      cudaGetLastError();
      return JNI_FALSE;
    }
    check(status);
    return JNI_TRUE;
  });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_destroyEvent(JNIEnv* env, jclass,
                                                                    jlong event) {
  guarded(env, [&] { check(cudaEventDestroy(event_of(event))); });
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
  guarded(env, [&] {
    check(answer_after(fault_point::sync_stream,
                       [&] { return cudaStreamSynchronize(stream_of(stream)); }));
  });
}

JNIEXPORT jstring JNICALL Java_io_mooring_jni_TransferJni_contextProblem(JNIEnv* env, jclass,
                                                                         jint device) {
  return guarded(env, [&]() -> jstring {
    // The first answer may be the error of an earlier call; one that comes again is to stay.
    ask_context(device);
    auto const status = ask_context(device);
    if (status == cudaSuccess || status == cudaErrorMemoryAllocation) return nullptr;
    return env->NewStringUTF(mooring::jni::words(status).c_str());
  });
}

}  // extern "C"

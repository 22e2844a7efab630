#include <cuda_runtime_api.h>

#include <cstring>
#include <string>
#include <vector>

#include "io_mooring_jni_TransferJni.h"
#include "jni_support.hpp"

namespace {

using mooring::jni::guarded;

/// Thrown for every CUDA error.
constexpr char const* cuda_exception = "io/mooring/jni/CudaFailure";

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw mooring::jni::java_exception{
      cuda_exception, std::string{cudaGetErrorName(status)} + ": " + cudaGetErrorString(status)};
}

cudaStream_t stream_of(jlong handle) { return mooring::jni::pointer<CUstream_st>(handle); }
cudaEvent_t event_of(jlong handle) { return mooring::jni::pointer<CUevent_st>(handle); }

std::vector<jlong> elements(JNIEnv* env, jlongArray array) {
  std::vector<jlong> out(static_cast<std::size_t>(env->GetArrayLength(array)));
  env->GetLongArrayRegion(array, 0, static_cast<jsize>(out.size()), out.data());
  return out;
}

void copy(jlong dst, jlong src, jlong bytes, jint kind, jlong stream) {
  check(cudaMemcpyAsync(mooring::jni::pointer<void>(dst), mooring::jni::pointer<void>(src),
                        mooring::jni::to_size(bytes), static_cast<cudaMemcpyKind>(kind),
                        stream_of(stream)));
}

}  // namespace

extern "C" {

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_initDevice(JNIEnv* env, jclass,
                                                                  jint device) {
  guarded(env, [&] {
    // Threads that spin would take the cores from those that read files.
    auto const status =
        cudaInitDevice(device, cudaDeviceScheduleBlockingSync, cudaInitDeviceFlagsAreValid);
    if (status != cudaSuccess) cudaGetLastError();
  });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_setDevice(JNIEnv* env, jclass, jint device) {
  guarded(env, [&] { check(cudaSetDevice(device)); });
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
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync));
    return reinterpret_cast<jlong>(event);
  });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_recordEvent(JNIEnv* env, jclass, jlong event,
                                                                   jlong stream) {
  guarded(env, [&] { check(cudaEventRecord(event_of(event), stream_of(stream))); });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_TransferJni_syncEvent(JNIEnv* env, jclass, jlong event) {
  guarded(env, [&] { check(cudaEventSynchronize(event_of(event))); });
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
  guarded(env, [&] { check(cudaStreamSynchronize(stream_of(stream))); });
}

}  // extern "C"

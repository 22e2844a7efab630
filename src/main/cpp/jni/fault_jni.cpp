#include "cuda_calls.hpp"
#include "io_mooring_jni_FaultJni.h"

namespace {

using mooring::fault_point;
using mooring::faults;

fault_point point_of(jint ordinal) {
  if (ordinal < 0 || ordinal >= static_cast<jint>(fault_point::count)) {
    throw std::invalid_argument{"There is no such point"};
  }
  return static_cast<fault_point>(ordinal);
}

}  // namespace

extern "C" {

JNIEXPORT void JNICALL Java_io_mooring_jni_FaultJni_fail(JNIEnv* env, jclass, jint point, jlong nth,
                                                         jlong times, jint error) {
  mooring::jni::guarded(env, [&] { faults::fail(point_of(point), nth, times, error); });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_FaultJni_clear(JNIEnv*, jclass) { faults::clear(); }

JNIEXPORT void JNICALL Java_io_mooring_jni_FaultJni_decoding(JNIEnv* env, jclass) {
  mooring::jni::guarded(env, [] {
    auto const status =
        mooring::answer(fault_point::decode, [] { return cudaError_t{cudaSuccess}; });
    if (status == cudaErrorMemoryAllocation) {
      throw mooring::jni::java_exception{
          "java/lang/OutOfMemoryError",
          std::string{"Fault of a test: "} + cudaGetErrorString(status)};
    }
    mooring::jni::check(status);
  });
}

}  // extern "C"

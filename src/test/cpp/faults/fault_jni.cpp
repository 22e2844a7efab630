// SPDX-License-Identifier: Apache-2.0

#include "faults/fault_calls.hpp"

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

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* jvm, void*) {
  void* env = nullptr;
  if (jvm->GetEnv(&env, JNI_VERSION_1_8) != JNI_OK) return JNI_ERR;
  mooring::jni::bind_faulty_calls(static_cast<JNIEnv*>(env));
  return JNI_VERSION_1_8;
}

JNIEXPORT void JNICALL Java_io_mooring_jni_FaultJni_fail(JNIEnv* env, jclass, jint point, jlong nth,
                                                         jlong times, jint error) {
  mooring::jni::guarded(env, [&] { faults::fail(point_of(point), nth, times, error); });
}

JNIEXPORT void JNICALL Java_io_mooring_jni_FaultJni_clear(JNIEnv*, jclass) { faults::clear(); }

JNIEXPORT jlong JNICALL Java_io_mooring_jni_FaultJni_fired(JNIEnv*, jclass) {
  return faults::fired();
}

JNIEXPORT void JNICALL Java_io_mooring_jni_FaultJni_decoding(JNIEnv* env, jclass) {
  mooring::jni::guarded(env, [] { mooring::jni::raise_decode_fault(); });
}

}  // extern "C"

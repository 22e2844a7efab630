// SPDX-License-Identifier: Apache-2.0

#include "faults/fault_calls.hpp"
#include "faults/faulty_source.hpp"
#include "io_mooring_jni_PoolJni.h"
#include "io_mooring_jni_TransferJni.h"
#include "pool_impl.hpp"
#include "pool_options_jni.hpp"
#include "thread_exit.hpp"

// Each stands in front of the method of libmooring.so that has its name, and calls that.
namespace {

using mooring::fault_point;
using mooring::jni::elements;
using mooring::jni::guarded;
using mooring::jni::raise_fault;

void set_device(JNIEnv* env, jclass c, jint device) {
  guarded(env, [&] {
    mooring::guard_thread_exit();
    raise_fault(fault_point::set_device);
    Java_io_mooring_jni_TransferJni_setDevice(env, c, device);
  });
}

void copy(JNIEnv* env, jclass c, jlong to, jlong from, jlong bytes, jint kind, jlong stream) {
  guarded(env, [&] {
    bool const up = kind == cudaMemcpyHostToDevice;
    raise_fault(up ? fault_point::copy_to_device : fault_point::copy_to_host);
    Java_io_mooring_jni_TransferJni_copyAsync(env, c, to, from, bytes, kind, stream);
  });
}

/// One after the other, because each is a call of the runtime that may fail.
void copy_many(JNIEnv* env, jclass c, jlongArray to, jlongArray from, jlongArray bytes, jint kind,
               jlong stream) {
  guarded(env, [&] {
    auto const targets = elements(env, to);
    auto const sources = elements(env, from);
    auto const sizes = elements(env, bytes);
    for (std::size_t i = 0; i < sizes.size() && !env->ExceptionCheck(); ++i) {
      copy(env, c, targets.at(i), sources.at(i), sizes[i], kind, stream);
    }
  });
}

jlong take_event(JNIEnv* env, jclass c) {
  return guarded(env, [&]() -> jlong {
    raise_fault(fault_point::take_event);
    return Java_io_mooring_jni_TransferJni_takeEvent(env, c);
  });
}

void record_event(JNIEnv* env, jclass c, jlong event, jlong stream) {
  guarded(env, [&] {
    raise_fault(fault_point::record_event);
    Java_io_mooring_jni_TransferJni_recordEvent(env, c, event, stream);
  });
}

// The two that wait do so in either case: no copy is in flight behind a fault.

void sync_event(JNIEnv* env, jclass c, jlong event) {
  guarded(env, [&] {
    Java_io_mooring_jni_TransferJni_syncEvent(env, c, event);
    raise_fault(fault_point::sync_event);
  });
}

void sync_stream(JNIEnv* env, jclass c, jlong stream) {
  guarded(env, [&] {
    Java_io_mooring_jni_TransferJni_syncStream(env, c, stream);
    raise_fault(fault_point::sync_stream);
  });
}

jstring context_problem(JNIEnv* env, jclass c, jint device) {
  return guarded(env, [&]() -> jstring {
    // The context is asked twice, and its second answer counts.
    mooring::faults::next(fault_point::ask_context);
    auto const fault = static_cast<cudaError_t>(mooring::faults::next(fault_point::ask_context));
    if (fault == cudaSuccess) return Java_io_mooring_jni_TransferJni_contextProblem(env, c, device);
    if (fault == cudaErrorMemoryAllocation) return nullptr;
    return env->NewStringUTF(mooring::jni::error_text(fault).c_str());
  });
}

jboolean start_filling(JNIEnv* env, jclass, jobject java) {
  return guarded(env, [&]() -> jboolean {
    auto const options = mooring::jni::pool_options_of(env, java);
    if (options.device < 0) return mooring::start_process_pool(options);
    return mooring::start_process_pool(
        options, std::make_unique<mooring::faulty_slab_source>(options.device));
  });
}

}  // namespace

void mooring::jni::bind_faulty_calls(JNIEnv* env) {
  bind(env, env->FindClass("io/mooring/jni/TransferJni"),
       {method("setDevice", "(I)V", set_device), method("copyAsync", "(JJJIJ)V", copy),
        method("copyManyAsync", "([J[J[JIJ)V", copy_many),
        method("takeEvent", "()J", take_event), method("recordEvent", "(JJ)V", record_event),
        method("syncEvent", "(J)V", sync_event), method("syncStream", "(J)V", sync_stream),
        method("contextProblem", "(I)Ljava/lang/String;", context_problem)});
  bind(env, env->FindClass("io/mooring/jni/PoolJni"),
       {method("startFilling", "(Lio/mooring/jni/PoolOptions;)Z", start_filling)});
}

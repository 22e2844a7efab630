// SPDX-License-Identifier: Apache-2.0

#include <dlfcn.h>

#include "faults/fault_calls.hpp"

// In front of those methods of cudf's that decode: once for a unit, or for each chunk of one.
namespace {

using mooring::jni::guarded;
using mooring::jni::method;

/// The method of libcudf.so that has a name.
template <typename Function>
Function* of_libcudf(char const* name) {
  // Loaded already, under the name that it gives itself.
  static void* const library = dlopen("libcudf.so", RTLD_NOW | RTLD_NOLOAD);
  auto* const found = library == nullptr ? nullptr : dlsym(library, name);
  if (found == nullptr) throw std::logic_error{std::string{"libcudf.so has no "} + name};
  return reinterpret_cast<Function*>(found);
}

using decode_all = jlongArray(JNIEnv*, jclass, jlong, jintArray, jlongArray, jlongArray);
using decode_chunk = jlongArray(JNIEnv*, jclass, jlong);

jlongArray all_columns(JNIEnv* env, jclass c, jlong reader, jintArray row_groups, jlongArray chunks,
                       jlongArray lengths) {
  return guarded(env, [&] {
    mooring::jni::raise_decode_fault();
    static auto* const decode =
        of_libcudf<decode_all>("Java_ai_rapids_cudf_HybridScanReader_materializeAllColumns");
    return decode(env, c, reader, row_groups, chunks, lengths);
  });
}

jlongArray all_columns_chunk(JNIEnv* env, jclass c, jlong reader) {
  return guarded(env, [&] {
    mooring::jni::raise_decode_fault();
    static auto* const decode =
        of_libcudf<decode_chunk>("Java_ai_rapids_cudf_HybridScanReader_materializeAllColumnsChunk");
    return decode(env, c, reader);
  });
}

jlongArray file_chunk(JNIEnv* env, jclass c, jlong reader) {
  return guarded(env, [&] {
    mooring::jni::raise_decode_fault();
    static auto* const decode =
        of_libcudf<decode_chunk>("Java_ai_rapids_cudf_ParquetChunkedReader_readChunk");
    return decode(env, c, reader);
  });
}

}  // namespace

extern "C" JNIEXPORT void JNICALL Java_io_mooring_jni_FaultJni_watchDecodes(JNIEnv* env, jclass,
                                                                             jclass hybrid,
                                                                             jclass chunked) {
  using mooring::jni::bind;
  bind(env, hybrid,
       {method("materializeAllColumns", "(J[I[J[J)[J", all_columns),
        method("materializeAllColumnsChunk", "(J)[J", all_columns_chunk)});
  bind(env, chunked, {method("readChunk", "(J)[J", file_chunk)});
}

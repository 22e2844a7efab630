// SPDX-License-Identifier: Apache-2.0

#include <cuda/memory_resource>
#include <mutex>

#include "io_mooring_jni_RegistrationJni.h"
#include "jni_support.hpp"
#include "pinned_memory_resource.hpp"

// libcudf's headers are not needed for the one function that is called.
namespace cudf {
using pinned_ref = cuda::mr::resource_ref<cuda::mr::host_accessible, cuda::mr::device_accessible>;
pinned_ref set_pinned_memory_resource(pinned_ref resource);
}  // namespace cudf

extern "C" {

JNIEXPORT jboolean JNICALL Java_io_mooring_jni_RegistrationJni_register(JNIEnv* env, jclass) {
  return mooring::jni::guarded(env, [&]() -> jboolean {
    static std::once_flag once;
    bool first = false;
    std::call_once(once, [&] {
      if (mooring::process_pool() == nullptr)
        throw std::logic_error{"There is no pool to register"};
      // libcudf keeps the reference for as long as the process lives.
      static auto* const resource = new mooring::pinned_memory_resource{};
      cudf::set_pinned_memory_resource(*resource);
      first = true;
    });
    return first;
  });
}

}  // extern "C"

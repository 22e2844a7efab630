// SPDX-License-Identifier: Apache-2.0

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include "arm.hpp"

namespace mooring::bench {

bool has_gpu() {
  static bool const found = [] {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0 &&
           cudaSetDevice(0) == cudaSuccess && cudaFree(nullptr) == cudaSuccess;
  }();
  return found;
}

namespace {

void* load(std::string const& file, int mode) {
  auto* const library = dlopen(file.c_str(), mode);
  if (library == nullptr) throw unavailable{dlerror()};
  return library;
}

arm& make_peer(arm_options const& options, std::string const& module) {
  if (options.peers.empty()) throw unavailable{"its module was not built"};
  auto* const library = load(options.peers + "/" + module + ".so", RTLD_NOW | RTLD_LOCAL);
  auto* const make = reinterpret_cast<make_peer_function*>(dlsym(library, "make_peer"));
  if (make == nullptr) throw std::runtime_error{module + " exports no make_peer"};
  auto* const peer = make(options.pool);
  if (peer == nullptr) throw std::runtime_error{module + " could not make its pool"};
  return *peer;
}

arm& make_libcudf_arm(arm_options const& options) {
  if (options.libcudf.empty()) throw unavailable{"no libcudf.so was given"};
  load(options.libcudf, RTLD_NOW | RTLD_GLOBAL);
  return make_peer(options, "libcudf_pool");
}

}  // namespace

arm& make_arm(arm_options const& options) {
  auto const& name = options.name;
  if (name == "malloc") return make_malloc_arm(options);
  bool const gpu = has_gpu();
  if (name == "mooring") return make_mooring_arm(options);
  if (!gpu) throw unavailable{"needs a GPU"};
  if (name == "cudaHostAlloc") return make_host_alloc_arm(options);
  if (name == "malloc+register") return make_registered_arm(options);
  if (name == "rmm-pool") return make_peer(options, "rmm_pool");
  if (name == "libcudf-default") return make_libcudf_arm(options);
  throw std::runtime_error{"no arm " + name};
}

}  // namespace mooring::bench

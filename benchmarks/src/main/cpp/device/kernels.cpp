// SPDX-License-Identifier: Apache-2.0

#include "kernels.hpp"

#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "cuda_check.hpp"
#include "handles.hpp"
#include "kernels_text.hpp"

namespace mooring::bench {

namespace {

/// The driver's functions, looked up so that the program starts where there is no driver.
struct driver {
  decltype(&cuLibraryLoadData) load_data;
  decltype(&cuLibraryGetKernel) get_kernel;
  decltype(&cuLaunchKernel) launch;
  decltype(&cuGetErrorString) error_string;

  driver() {
    auto* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error{"the CUDA driver does not load"};
    find(library, "cuLibraryLoadData", load_data);
    find(library, "cuLibraryGetKernel", get_kernel);
    find(library, "cuLaunchKernel", launch);
    find(library, "cuGetErrorString", error_string);
  }

  template <class Function>
  static void find(void* library, char const* name, Function& into) {
    into = reinterpret_cast<Function>(dlsym(library, name));
    if (into != nullptr) return;
    throw std::runtime_error{std::string{"the CUDA driver is too old: it has no "} + name};
  }

  void must(CUresult status, char const* what) const {
    if (status == CUDA_SUCCESS) return;
    char const* text = nullptr;
    error_string(status, &text);
    throw std::runtime_error{std::string{what} + ": " + (text != nullptr ? text : "unknown error")};
  }
};

struct loaded_kernels {
  driver calls{};
  CUlibrary library = nullptr;
  CUfunction fill, count_wrong, work, spin, stencil;

  loaded_kernels() {
    calls.must(calls.load_data(&library, kernels_text, nullptr, nullptr, 0, nullptr, nullptr, 0),
               "the driver cannot compile the kernels");
    fill = kernel("fill_pattern");
    count_wrong = kernel("count_wrong");
    work = kernel("work");
    spin = kernel("spin");
    stencil = kernel("stencil");
  }

  // A launch takes the handle that holds for every device in place of a function of one.
  CUfunction kernel(char const* name) const {
    CUkernel found = nullptr;
    calls.must(calls.get_kernel(&found, library, name), name);
    return reinterpret_cast<CUfunction>(found);
  }

  template <class... Arguments>
  void launch(CUfunction kernel, char const* name, unsigned blocks, unsigned threads,
              cudaStream_t on, Arguments... arguments) const {
    void* pointers[] = {&arguments...};
    calls.must(calls.launch(kernel, blocks, 1, 1, threads, 1, 1, 0, on, pointers, nullptr), name);
  }
};

loaded_kernels const& all() {
  static loaded_kernels const& kernels = *new loaded_kernels;
  return kernels;
}

constexpr unsigned threads_a_block = 256;

std::uint64_t words_of(std::size_t bytes) { return bytes / sizeof(std::uint64_t); }

/// Enough to fill any device; longer arrays are walked in strides.
unsigned blocks_for(std::size_t bytes) {
  constexpr std::uint64_t most = 2048;
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(words_of(bytes) / threads_a_block, 1, most));
}

}  // namespace

namespace kernels {

void load() { all(); }

void fill(void* data, std::size_t bytes, std::uint64_t seed, cudaStream_t on) {
  all().launch(all().fill, "fill_pattern", blocks_for(bytes), threads_a_block, on, data,
               words_of(bytes), seed);
}

void count_wrong(void const* data, std::size_t bytes, std::uint64_t seed, affine map,
                 std::uint64_t* wrong, cudaStream_t on) {
  all().launch(all().count_wrong, "count_wrong", blocks_for(bytes), threads_a_block, on, data,
               words_of(bytes), seed, map.mul, map.add, wrong);
}

void work(void* data, std::size_t bytes, std::uint64_t rounds, cudaStream_t on) {
  all().launch(all().work, "work", blocks_for(bytes), threads_a_block, on, data, words_of(bytes),
               rounds);
}

void spin(std::uint64_t nanos, cudaStream_t on) {
  all().launch(all().spin, "spin", 1, 1, on, nanos);
}

void stencil(void* to, void const* from, std::size_t bytes, std::size_t width, cudaStream_t on) {
  all().launch(all().stencil, "stencil", blocks_for(bytes), threads_a_block, on, to, from,
               words_of(bytes), static_cast<std::uint64_t>(width));
}

}  // namespace kernels

std::uint64_t wrong_on_device(void const* data, std::size_t bytes, std::uint64_t seed, affine map) {
  stream on;
  device_memory count{sizeof(std::uint64_t)};
  check(cudaMemsetAsync(count.get(), 0, count.bytes(), on), "cudaMemset");
  kernels::count_wrong(data, bytes, seed, map, reinterpret_cast<std::uint64_t*>(count.get()), on);
  std::uint64_t wrong = 0;
  check(cudaMemcpyAsync(&wrong, count.get(), sizeof wrong, cudaMemcpyDeviceToHost, on),
        "cudaMemcpy of the count");
  on.synchronize();
  return wrong;
}

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#include "slab_source.hpp"

#include <cuda_runtime_api.h>
#include <sys/mman.h>

#include "relaxed_capture_mode.hpp"

namespace mooring {

namespace {

constexpr std::size_t small_page = 4096;

}  // namespace

// Not MADV_POPULATE_WRITE: it holds the lock of all mappings, which registering waits for.
void slab_source::touch(std::byte* base, std::size_t bytes) noexcept {
  for (std::size_t at = 0; at < bytes; at += small_page) {
    static_cast<std::byte volatile*>(base)[at] = std::byte{0};
  }
}

void slab_source::discard(std::byte* base, std::size_t bytes) noexcept {
  madvise(base, bytes, MADV_DONTNEED);
}

void registered_slab_source::enter_thread() noexcept { cudaSetDevice(device_); }

std::string registered_slab_source::pin(std::byte* base, std::size_t bytes) {
  relaxed_capture_mode const relaxed;
  auto const status = cudaHostRegister(base, bytes, cudaHostRegisterPortable);
  if (status == cudaSuccess) return {};
  cudaGetLastError();
  return cudaGetErrorString(status);
}

void registered_slab_source::unpin(std::byte* base) noexcept {
  relaxed_capture_mode const relaxed;
  if (cudaHostUnregister(base) != cudaSuccess) cudaGetLastError();
}

}  // namespace mooring

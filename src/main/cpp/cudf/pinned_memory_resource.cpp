// SPDX-License-Identifier: Apache-2.0

#include "pinned_memory_resource.hpp"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <new>

#include "relaxed_capture_mode.hpp"

namespace mooring {

void* pinned_memory_resource::allocate(cuda::stream_ref stream, std::size_t bytes,
                                       std::size_t alignment) {
  auto& p = *process_pool();
  if (auto* const block = p.allocate_ordered(bytes, stream.get(), alignment)) return block;
  relaxed_capture_mode const relaxed;
  void* beyond = nullptr;
  if (cudaHostAlloc(&beyond, bytes, cudaHostAllocPortable) != cudaSuccess) {
    cudaGetLastError();
    throw std::bad_alloc{};
  }
  p.count_host_alloc();
  return beyond;
}

void pinned_memory_resource::deallocate(cuda::stream_ref stream, void* address, std::size_t,
                                        std::size_t) noexcept {
  if (address == nullptr) return;
  auto& p = *process_pool();
  if (!p.owns(address)) {
    relaxed_capture_mode const relaxed;
    cudaFreeHost(address);
  } else if (!p.free_ordered(address, stream.get())) {
    // libcudf cannot be told: a destructor is calling.
    static_cast<void>(std::fprintf(
        stderr, "Mooring: libcudf freed %p, which is not a block in use of the pinned pool\n",
        address));
  }
}

void* pinned_memory_resource::allocate_sync(std::size_t bytes, std::size_t alignment) {
  auto* const block =
      allocate(cuda::stream_ref{cudaStream_t{cudaStreamPerThread}}, bytes, alignment);
  // The caller may write at once: no copy of the block's last holder may be in flight.
  cudaStreamSynchronize(cudaStreamPerThread);
  return block;
}

void pinned_memory_resource::deallocate_sync(void* address, std::size_t bytes,
                                             std::size_t alignment) noexcept {
  deallocate(cuda::stream_ref{cudaStream_t{cudaStreamPerThread}}, address, bytes, alignment);
}

}  // namespace mooring

#include "pinned_resource.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <new>

namespace mooring {

void* pinned_resource::allocate(cuda::stream_ref stream, std::size_t bytes, std::size_t alignment) {
  // A block is aligned to its class at least to a cache line; more is asked for by nobody.
  if (alignment > size_classes::alignment) bytes = std::max(bytes, page_arena::page_bytes + 1);
  auto& p = *process_pool();
  if (auto* const block = p.allocate_ordered(bytes, stream.get())) return block;
  void* beyond = nullptr;
  if (cudaHostAlloc(&beyond, bytes, cudaHostAllocPortable) != cudaSuccess) {
    cudaGetLastError();
    throw std::bad_alloc{};
  }
  p.count_host_alloc(bytes);
  return beyond;
}

void pinned_resource::deallocate(cuda::stream_ref stream, void* address, std::size_t,
                                 std::size_t) noexcept {
  if (address == nullptr) return;
  auto& p = *process_pool();
  if (p.owns(address)) {
    p.free_ordered(address, stream.get());
  } else {
    cudaFreeHost(address);
  }
}

void* pinned_resource::allocate_sync(std::size_t bytes, std::size_t alignment) {
  return allocate(cuda::stream_ref{cudaStream_t{cudaStreamPerThread}}, bytes, alignment);
}

void pinned_resource::deallocate_sync(void* address, std::size_t bytes,
                                      std::size_t alignment) noexcept {
  deallocate(cuda::stream_ref{cudaStream_t{cudaStreamPerThread}}, address, bytes, alignment);
}

}  // namespace mooring

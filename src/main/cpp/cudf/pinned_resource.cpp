#include "pinned_resource.hpp"

#include <cuda_runtime_api.h>

#include <new>

namespace mooring {

void* pinned_resource::allocate(cuda::stream_ref stream, std::size_t bytes, std::size_t alignment) {
  auto& p = *process_pool();
  if (auto* const block = p.allocate_ordered(bytes, stream.get(), alignment)) return block;
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

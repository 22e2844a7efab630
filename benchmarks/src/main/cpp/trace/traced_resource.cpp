// SPDX-License-Identifier: Apache-2.0

// libcudf's pinned allocations: those of the resource that it has, written down.
#include <cstddef>
#include <cuda/memory_resource>
#include <cuda/stream_ref>

#include "loaded.hpp"
#include "traced_calls.hpp"

namespace mooring::bench {

namespace {

using pinned_ref = cuda::mr::resource_ref<cuda::mr::host_accessible, cuda::mr::device_accessible>;
using get_call = pinned_ref();
using set_call = pinned_ref(pinned_ref);

constexpr char const* get_name = "_ZN4cudf26get_pinned_memory_resourceEv";
constexpr char const* set_name =
    "_ZN4cudf26set_pinned_memory_resourceEN4cuda2mr3__420__version_bump_ver4_12resource_refI"
    "JNS2_15host_accessibleENS2_17device_accessibleEEEE";

class traced_resource {
 public:
  explicit traced_resource(pinned_ref inner) : inner_{inner} {}

  void* allocate(cuda::stream_ref stream, std::size_t bytes, std::size_t alignment) {
    return noted(inner_.allocate(stream, bytes, alignment), bytes);
  }

  void deallocate(cuda::stream_ref stream, void* address, std::size_t bytes,
                  std::size_t alignment) noexcept {
    note_free(address);
    inner_.deallocate(stream, address, bytes, alignment);
  }

  void* allocate_sync(std::size_t bytes, std::size_t alignment) {
    return noted(inner_.allocate_sync(bytes, alignment), bytes);
  }

  void deallocate_sync(void* address, std::size_t bytes, std::size_t alignment) noexcept {
    note_free(address);
    inner_.deallocate_sync(address, bytes, alignment);
  }

  bool operator==(traced_resource const& other) const noexcept { return this == &other; }

  friend void get_property(traced_resource const&, cuda::mr::host_accessible) noexcept {}
  friend void get_property(traced_resource const&, cuda::mr::device_accessible) noexcept {}

 private:
  static void* noted(void* block, std::size_t bytes) {
    if (is_pooled(block)) recorder().record(trace_op::allocate_ordered, block, bytes);
    return block;
  }

  static void note_free(void* address) {
    // Before the free: after it another thread's allocation of the block could be recorded first.
    if (is_pooled(address)) recorder().record(trace_op::free_ordered, address, 0);
  }

  pinned_ref inner_;
};

static_assert(cuda::mr::resource_with<traced_resource, cuda::mr::host_accessible,
                                      cuda::mr::device_accessible>);

}  // namespace

void trace_libcudf() {
  if (dlopen("libcudf.so", RTLD_NOW | RTLD_NOLOAD) == nullptr) return;
  auto* const get = loaded<get_call>("libcudf.so", get_name);
  auto* const set = loaded<set_call>("libcudf.so", set_name);
  // libcudf keeps the reference, and frees through it, for as long as the process lives.
  static auto* const resource = new traced_resource{get()};
  set(*resource);
}

}  // namespace mooring::bench

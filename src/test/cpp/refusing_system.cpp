// SPDX-License-Identifier: Apache-2.0

#include "refusing_system.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <new>

namespace {

std::atomic<int> threads{INT_MAX};
thread_local int allocations = INT_MAX;

void* take(std::size_t bytes, std::size_t alignment) noexcept {
  if (allocations != INT_MAX && --allocations <= 0) {
    allocations = 1;
    return nullptr;
  }
  if (alignment == 0) return std::malloc(bytes);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void* must_take(std::size_t bytes, std::size_t alignment = 0) {
  if (auto* const address = take(bytes, alignment)) return address;
  throw std::bad_alloc{};
}

}  // namespace

void* operator new(std::size_t n) { return must_take(n); }
void* operator new[](std::size_t n) { return must_take(n); }
void* operator new(std::size_t n, std::align_val_t a) {
  return must_take(n, static_cast<std::size_t>(a));
}
void* operator new(std::size_t n, std::nothrow_t const&) noexcept { return take(n, 0); }
void* operator new[](std::size_t n, std::nothrow_t const&) noexcept { return take(n, 0); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

// Visible, so that the C++ library calls it too.
extern "C" __attribute__((visibility("default"))) int pthread_create(
    pthread_t* thread, pthread_attr_t const* attributes, void* (*start)(void*), void* argument) {
  using function = int (*)(pthread_t*, pthread_attr_t const*, void* (*)(void*), void*);
  static auto const real = reinterpret_cast<function>(dlsym(RTLD_NEXT, "pthread_create"));
  if (threads != INT_MAX && threads-- <= 0) return EAGAIN;
  return real(thread, attributes, start, argument);
}

namespace mooring::testing {

void refusing_system::allow_threads(int count) { threads = count; }

void refusing_system::fail_memory_from(int nth) { allocations = nth; }

void refusing_system::relent() {
  threads = INT_MAX;
  allocations = INT_MAX;
}

}  // namespace mooring::testing

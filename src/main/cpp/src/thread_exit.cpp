// SPDX-License-Identifier: Apache-2.0

#include "thread_exit.hpp"

#include <pthread.h>

#include <atomic>
#include <climits>

namespace mooring {

namespace {

std::atomic<bool> skipped{false};

/// The keys that are made after this library was loaded, as the CUDA driver's are: glibc numbers
/// them upwards. Those before belong to the JVM, or to a sanitizer, which need their destructors.
pthread_key_t first_later_key() noexcept {
  pthread_key_t key = PTHREAD_KEYS_MAX;
  return pthread_key_create(&key, nullptr) == 0 ? key : PTHREAD_KEYS_MAX;
}

pthread_key_t const later_keys = first_later_key();

/// Destructors of a key are called for values other than null, after those of thread_local objects.
void forget_values_of_keys() noexcept {
  for (auto key = later_keys; key < PTHREAD_KEYS_MAX; ++key) {
    if (pthread_getspecific(key) != nullptr) pthread_setspecific(key, nullptr);
  }
}

struct exit_guard {
  bool armed = false;

  ~exit_guard() {
    if (armed && skipped.load(std::memory_order_relaxed)) forget_values_of_keys();
  }
};

thread_local exit_guard guard;

}  // namespace

void guard_thread_exit() noexcept { guard.armed = true; }

void skip_thread_cleanup() noexcept { skipped.store(true, std::memory_order_relaxed); }

}  // namespace mooring

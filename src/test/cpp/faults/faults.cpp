// SPDX-License-Identifier: Apache-2.0

#include "faults/faults.hpp"

#include <array>
#include <mutex>

#include "cuda_errors.hpp"

namespace mooring {

namespace {

struct rule {
  std::int64_t passing = 0;
  std::int64_t failing = 0;
  int error = 0;
};

std::mutex mutex;
std::array<rule, static_cast<std::size_t>(fault_point::count)> rules;
int lasting = 0;
std::int64_t told_errors = 0;

}  // namespace

std::atomic<bool> faults::armed{false};

void faults::fail(fault_point point, std::int64_t nth, std::int64_t times, int error) noexcept {
  std::lock_guard lock{mutex};
  rules[static_cast<std::size_t>(point)] = {nth - 1, times, error};
  armed = true;
}

void faults::clear() noexcept {
  std::lock_guard lock{mutex};
  armed = false;
  rules = {};
  lasting = 0;
  told_errors = 0;
}

std::int64_t faults::fired() noexcept {
  std::lock_guard lock{mutex};
  return told_errors;
}

int faults::told(fault_point point) noexcept {
  std::lock_guard lock{mutex};
  if (lasting != 0) {
    ++told_errors;
    return lasting;
  }
  auto& r = rules[static_cast<std::size_t>(point)];
  if (r.failing == 0) return 0;
  if (r.passing > 0) {
    --r.passing;
    return 0;
  }
  --r.failing;
  ++told_errors;
  if (ends_context(static_cast<cudaError_t>(r.error))) lasting = r.error;
  return r.error;
}

}  // namespace mooring

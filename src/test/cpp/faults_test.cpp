// SPDX-License-Identifier: Apache-2.0

#include "faults/faults.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "cuda_errors.hpp"
#include "faults/faulty_source.hpp"
#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

class Faults : public ::testing::Test {
 protected:
  void TearDown() override { faults::clear(); }

  static std::vector<int> next(fault_point point, int calls) {
    std::vector<int> errors;
    for (int i = 0; i < calls; ++i) errors.push_back(faults::next(point));
    return errors;
  }

  static pool& pool_of_chunks(std::size_t size, std::size_t chunk) {
    auto& p = leaked_pool({.size = size,
                           .max_size = size,
                           .fallback_limit = 1_MiB,
                           .threads = 2,
                           .device = 0,
                           .extent_bytes = chunk},
                          nullptr, std::make_unique<faulty_slab_source>(0));
    EXPECT_TRUE(impl_of(p).filler().await(std::chrono::seconds{60}));
    return p;
  }
};

constexpr std::int64_t always = 1000;

}  // namespace

TEST_F(Faults, NoneIsThereUntilOneIsAskedFor) {
  EXPECT_EQ(next(fault_point::sync_stream, 3), (std::vector<int>{0, 0, 0}));
}

TEST_F(Faults, TheNthCallOfOnePointFails) {
  faults::fail(fault_point::take_event, 2, 1, cudaErrorInvalidValue);
  EXPECT_EQ(next(fault_point::record_event, 3), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(next(fault_point::take_event, 4), (std::vector<int>{0, cudaErrorInvalidValue, 0, 0}));
}

TEST_F(Faults, AnErrorThatAContextDoesNotSurviveIsEverywhereFromThenOn) {
  faults::fail(fault_point::decode, 2, 1, cudaErrorIllegalAddress);
  EXPECT_EQ(next(fault_point::sync_stream, 2), (std::vector<int>{0, 0}));
  EXPECT_EQ(next(fault_point::decode, 2), (std::vector<int>{0, cudaErrorIllegalAddress}));
  EXPECT_EQ(faults::next(fault_point::sync_stream), cudaErrorIllegalAddress);
  EXPECT_EQ(faults::next(fault_point::set_device), cudaErrorIllegalAddress);
  faults::clear();
  EXPECT_EQ(faults::next(fault_point::sync_stream), 0);
}

TEST_F(Faults, APoolThatNothingIsPinnedForServesNobodyAndSaysWhy) {
  faults::fail(fault_point::host_register, 1, always, cudaErrorMemoryAllocation);
  auto& p = pool_of_chunks(32_MiB, 8_MiB);
  EXPECT_EQ(impl_of(p).filler().state(), pool_state::partial);
  EXPECT_EQ(impl_of(p).filler().capacity(), 0U);
  EXPECT_EQ(impl_of(p).filler().refusal(), cudaGetErrorString(cudaErrorMemoryAllocation));
  auto cause = refusal_cause::off;
  EXPECT_EQ(p.allocate(1000, cause), nullptr);
  EXPECT_EQ(cause, refusal_cause::refused);
  auto* const pageable = p.allocate_waiting(1000, cause, std::chrono::milliseconds{0});
  ASSERT_NE(pageable, nullptr);
  EXPECT_FALSE(p.owns(pageable));
  EXPECT_TRUE(impl_of(p).fallback().free(pageable));
}

TEST_F(Faults, APoolOfWhichAPartIsRefusedServesWithTheRest) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) GTEST_SKIP() << "no CUDA device";
  faults::fail(fault_point::host_register, 3, 1, cudaErrorMemoryAllocation);
  auto& p = pool_of_chunks(32_MiB, 8_MiB);
  EXPECT_EQ(impl_of(p).filler().state(), pool_state::partial);
  EXPECT_GE(impl_of(p).filler().capacity(), 8_MiB);
  EXPECT_LT(impl_of(p).filler().capacity(), 32_MiB);
  EXPECT_TRUE(p.free(must_allocate(p, 1000)));
}

TEST_F(Faults, OnlyErrorsThatEndAContextSayThatNothingIsInFlight) {
  for (auto const error : {cudaErrorIllegalAddress, cudaErrorLaunchFailure}) {
    EXPECT_TRUE(ends_context(error)) << cudaGetErrorName(error);
  }
  for (auto const error :
       {cudaErrorStreamCaptureUnsupported, cudaErrorMemoryAllocation, cudaErrorDevicesUnavailable,
        cudaErrorNotReady, cudaErrorInvalidResourceHandle}) {
    EXPECT_FALSE(ends_context(error)) << cudaGetErrorName(error);
  }
}

}  // namespace mooring

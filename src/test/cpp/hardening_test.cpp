// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

// Sanitizers do without: they check more.
#if defined(NDEBUG) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
TEST(Hardening, ReleaseCodeIsCompiledWithIt) {
#if defined(_FORTIFY_SOURCE)
  EXPECT_GE(_FORTIFY_SOURCE, 2);
#else
  FAIL() << "_FORTIFY_SOURCE is not defined";
#endif
#if !defined(__SSP_STRONG__)
  FAIL() << "there is no strong stack protector";
#endif
}
#endif

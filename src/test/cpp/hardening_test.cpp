#include <gtest/gtest.h>

#if defined(NDEBUG)
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

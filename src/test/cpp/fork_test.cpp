// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "testing.hpp"

namespace mooring {

using namespace mooring::testing;

namespace {

bool is_mapped(void* page) {
  unsigned char resident = 0;
  return mincore(page, 1, &resident) == 0 || errno != ENOMEM;
}

/// What `body` returns in a forked child, where only async-signal-safe calls are allowed.
template <typename Body>
int in_child(Body body) {
  auto const child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

}  // namespace

TEST(Fork, AChildDoesNotGetThePoolsMemory) {
  auto& p = pageable_pool(16_MiB);
  auto* const block = must_allocate(p, 2_MiB);
  std::memset(block, 0x5A, 2_MiB);
  ASSERT_TRUE(is_mapped(block));
  EXPECT_EQ(in_child([&] { return is_mapped(block) ? 1 : 0; }), 0);
  EXPECT_EQ(static_cast<unsigned char*>(block)[1_MiB], 0x5A);
  EXPECT_TRUE(p.free(block));
}

TEST(Fork, ThePoolServesTheParentWhileAChildLives) {
  auto& p = pageable_pool(16_MiB);
  int gate[2];
  ASSERT_EQ(pipe(gate), 0);
  auto const child = fork();
  if (child == 0) {
    char byte = 0;
    _exit(read(gate[0], &byte, 1) == 1 ? 0 : 1);
  }
  for (int i = 0; i < 100; ++i) {
    auto* const block = must_allocate(p, 1_MiB);
    std::memset(block, i, 1_MiB);
    EXPECT_TRUE(p.free(block));
  }
  EXPECT_EQ(write(gate[1], "x", 1), 1);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace mooring

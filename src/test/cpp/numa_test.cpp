// SPDX-License-Identifier: Apache-2.0

#include "numa.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace mooring {

namespace {

/// As containers do by default: mbind is answered with EPERM, for good.
bool forbid_mbind() {
  std::array<sock_filter, 4> rules{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mbind, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  sock_fprog const program{rules.size(), rules.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

constexpr int no_filter = 2;

}  // namespace

TEST(Numa, AForbiddenBindIsTold) {
  ASSERT_TRUE(may_bind_memory());
  auto const child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(forbid_mbind() ? static_cast<int>(may_bind_memory()) : no_filter);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == no_filter) GTEST_SKIP() << "this system filters no system calls";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace mooring

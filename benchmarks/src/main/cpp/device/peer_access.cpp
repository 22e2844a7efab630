// SPDX-License-Identifier: Apache-2.0

#include "peer_access.hpp"

#include "handles.hpp"

namespace mooring::bench {

namespace {

int attribute(cudaDeviceP2PAttr what, int from, int to) {
  int value = 0;
  check(cudaDeviceGetP2PAttribute(&value, what, from, to), "cudaDeviceGetP2PAttribute");
  return value;
}

void set_one(int from, int to, bool on) {
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, from, to), "cudaDeviceCanAccessPeer");
  if (can == 0) return;
  use_device(from);
  auto const status = on ? cudaDeviceEnablePeerAccess(to, 0) : cudaDeviceDisablePeerAccess(to);
  bool const was_so =
      status == (on ? cudaErrorPeerAccessAlreadyEnabled : cudaErrorPeerAccessNotEnabled);
  if (was_so) {
    cudaGetLastError();
  } else {
    check(status, "cudaDeviceEnablePeerAccess");
  }
}

}  // namespace

std::vector<peer_link> peer_links(int devices) {
  std::vector<peer_link> links;
  for (int from = 0; from < devices; ++from) {
    for (int to = 0; to < devices; ++to) {
      if (from == to) continue;
      links.push_back({from, to, attribute(cudaDevP2PAttrAccessSupported, from, to) != 0,
                       attribute(cudaDevP2PAttrNativeAtomicSupported, from, to) != 0,
                       attribute(cudaDevP2PAttrPerformanceRank, from, to)});
    }
  }
  return links;
}

void set_peer_access(int devices, bool on) {
  for (int from = 0; from < devices; ++from) {
    for (int to = 0; to < devices; ++to) {
      if (from != to) set_one(from, to, on);
    }
  }
}

}  // namespace mooring::bench

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace mooring::bench {

/// A function of a library that the process has loaded, by the name that the library gives itself.
/// @throws std::logic_error naming the function when there is none
template <typename Function>
Function* loaded(char const* library, char const* name) {
  auto* const handle = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
  auto* const found = handle == nullptr ? nullptr : dlsym(handle, name);
  if (found == nullptr) throw std::logic_error{std::string{library} + " has no " + name};
  return reinterpret_cast<Function*>(found);
}

}  // namespace mooring::bench

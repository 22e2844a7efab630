// SPDX-License-Identifier: Apache-2.0

#pragma once

/// Marks what the registration library and the tests need from libmooring.so.
#define MOORING_EXPORT __attribute__((visibility("default")))

package io.mooring.scan.library;

import org.jspecify.annotations.Nullable;

/** Says that a version of a library has other classes or methods than those that are known. */
public final class UnknownVersionException extends IllegalStateException {
  UnknownVersionException(String reason, @Nullable Exception cause) {
    super(reason, cause);
  }
}

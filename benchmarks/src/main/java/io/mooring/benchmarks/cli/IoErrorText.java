package io.mooring.benchmarks.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** Why a file could not be written or read, in a few words for the user. */
public final class IoErrorText {

  private IoErrorText() {}

  /** The system's message, else the kind of the error: {@code Access Denied}. */
  public static String of(IOException e) {
    String said = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
    return said != null
        ? said
        : e.getClass()
            .getSimpleName()
            .replace("Exception", "")
            .replaceAll("(?<=[a-z])(?=[A-Z])", " ");
  }
}

package io.mooring.parquet.verify;

import java.io.IOException;

/** Pages of a file must not be decoded on the GPU; the message is the same for all of a kind. */
public class UndecodablePagesException extends IOException {
  private static final long serialVersionUID = 1;

  private final String path;
  private final String detail;

  UndecodablePagesException(String reason, String path, String detail) {
    super(reason);
    this.path = path;
    this.detail = detail;
  }

  /** The file, or one of them. */
  public String path() {
    return path;
  }

  /** The page, and what is wrong with it. */
  public String detail() {
    return detail;
  }
}

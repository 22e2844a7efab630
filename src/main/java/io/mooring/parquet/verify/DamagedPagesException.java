package io.mooring.parquet.verify;

import java.io.IOException;

/** Pages of a file are not as they were written; the message is the same for all of one kind. */
public final class DamagedPagesException extends IOException {
  private static final long serialVersionUID = 1;

  private final String path;
  private final String detail;

  DamagedPagesException(String reason, String path, String detail) {
    super(reason);
    this.path = path;
    this.detail = detail;
  }

  /** The file, or one of them. */
  public String path() {
    return path;
  }

  /** Which page, and what is wrong with it. */
  public String detail() {
    return detail;
  }
}

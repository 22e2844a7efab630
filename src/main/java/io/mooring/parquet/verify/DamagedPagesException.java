package io.mooring.parquet.verify;

/** Pages of a file are damaged: they are not as they were written. */
public final class DamagedPagesException extends UndecodablePagesException {
  private static final long serialVersionUID = 1;

  DamagedPagesException(String reason, String path, String detail) {
    super(reason, path, detail);
  }
}

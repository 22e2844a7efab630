package io.mooring.jni;

/** A CUDA call of ours failed; the message holds CUDA's name and text of the error. */
public final class CudaFailure extends RuntimeException {
  public CudaFailure(String message) {
    super(message);
  }
}

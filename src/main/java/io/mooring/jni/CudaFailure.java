package io.mooring.jni;

/** A CUDA call of ours failed; the message holds CUDA's name and text of the error. */
public final class CudaFailure extends RuntimeException {
  public CudaFailure(String message) {
    super(message);
  }

  /** Whether the CUDA context of this process is lost with it. */
  public boolean isSticky() {
    String message = String.valueOf(getMessage());
    return message.startsWith("cudaErrorIllegal")
        || message.startsWith("cudaErrorLaunch")
        || message.startsWith("cudaErrorECC")
        || message.startsWith("cudaErrorHardware")
        || message.startsWith("cudaErrorDevicesUnavailable")
        || message.startsWith("cudaErrorAssert");
  }
}

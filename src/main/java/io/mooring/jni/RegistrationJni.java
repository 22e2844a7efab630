package io.mooring.jni;

/** Makes the pool libcudf's pinned memory; needs {@link NativeLibrary#loadRegistration()}. */
public final class RegistrationJni {
  private RegistrationJni() {}

  /**
   * Registers once for the life of the process.
   *
   * @return false when it was registered before
   */
  public static native boolean register();
}

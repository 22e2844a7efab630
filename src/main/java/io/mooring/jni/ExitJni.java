package io.mooring.jni;

/** How the process ends. Thread-safe; needs {@link NativeLibrary#load()}. */
public final class ExitJni {
  private ExitJni() {}

  /**
   * From here on the process ends, with its own exit status and after all shutdown hooks of Java,
   * without the cleanup of native libraries: they would ask a GPU that does not answer any more,
   * and may wait for it for ever. So do threads that used a GPU ({@link TransferJni#setDevice}), or
   * each of them would keep a core busy when it ends.
   */
  public static native void skipNativeCleanup();
}

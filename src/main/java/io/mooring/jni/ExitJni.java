package io.mooring.jni;

/** How the process ends. Thread-safe; needs {@link NativeLibrary#load()}. */
public final class ExitJni {
  private ExitJni() {}

  /**
   * Makes the process end without the cleanup of native libraries, which could wait for ever for a
   * GPU that does not answer. The exit status and Java's shutdown hooks are unaffected. Threads
   * that used a GPU ({@link TransferJni#setDevice}) skip the cleanup too; otherwise each of them
   * would keep a core busy when it ends.
   */
  public static native void skipNativeCleanup();
}

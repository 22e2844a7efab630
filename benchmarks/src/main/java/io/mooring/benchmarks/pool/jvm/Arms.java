package io.mooring.benchmarks.pool.jvm;

/** The one allocator that this JVM measures: pools of two makers must not live side by side. */
final class Arms {

  private static final class Holder {
    static final JavaArm ARM = make(System.getProperty(ARM_PROPERTY, ""));
  }

  static final String ARM_PROPERTY = "mooring.benchmarks.arm";

  private Arms() {}

  static JavaArm current() {
    return Holder.ARM;
  }

  private static JavaArm make(String name) {
    return switch (name) {
      case "mooring" -> new MooringArm();
      case "PinnedMemoryPool" -> new PinnedMemoryPoolArm();
      default -> throw new IllegalArgumentException("no arm '" + name + "'");
    };
  }
}

package io.mooring.memory;

/** What the pool is doing. The native side uses the same order. */
public enum PoolState {
  OFF,
  STARTING,
  READY,
  /** A part was refused; what there is serves. */
  PARTIAL
}

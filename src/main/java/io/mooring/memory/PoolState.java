package io.mooring.memory;

/** States of the pool. Names and order are those of {@code pool_state} in pool.hpp. */
public enum PoolState {
  OFF,
  STARTING,
  READY,
  /** A part was refused; what there is serves. */
  PARTIAL
}

package io.mooring.memory;

/** States of the pool. Names and order are those of {@code pool_state} in pool.hpp. */
public enum PoolState {
  OFF,
  STARTING,
  READY,
  /** The system refused a part of the memory; the pool serves buffers from the rest. */
  PARTIAL
}

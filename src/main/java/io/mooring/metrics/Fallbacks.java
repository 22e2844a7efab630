package io.mooring.metrics;

import java.io.Serializable;

/** Buffers of one cause that came from pageable memory, so far. Immutable. */
public record Fallbacks(long count, long bytes) implements Serializable {}

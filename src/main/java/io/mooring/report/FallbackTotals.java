package io.mooring.report;

import java.io.Serializable;

/** Buffers of one cause that came from pageable memory, so far. Immutable. */
public record FallbackTotals(long count, long bytes) implements Serializable {}

package io.mooring.report;

import java.io.Serializable;

/** Number and bytes of the buffers that came from pageable memory for one cause. Immutable. */
public record FallbackTotals(long count, long bytes) implements Serializable {}

package io.mooring.ui;

/** A pool at one moment: milliseconds since 1970, and bytes. Immutable. */
public record UsageSample(long time, long capacity, long inUse, long highWaterMark) {}

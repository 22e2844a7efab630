/** Metrics of pool and scans, and flight recorder events. Uses no class of Spark. */
@NullMarked
package io.mooring.metrics;

import org.jspecify.annotations.NullMarked;

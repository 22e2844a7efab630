/**
 * What pool and scans tell the outside: their metrics, and flight recorder events. Knows no Spark.
 */
@NullMarked
package io.mooring.metrics;

import org.jspecify.annotations.NullMarked;

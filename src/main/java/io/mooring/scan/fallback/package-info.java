/** Spark's own reader of the files that the GPU does not read. */
@NullMarked
package io.mooring.scan.fallback;

import org.jspecify.annotations.NullMarked;

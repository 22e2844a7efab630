/** Columnar batches made of decoded units: projected, filtered or aggregated. */
@NullMarked
package io.mooring.scan.output;

import org.jspecify.annotations.NullMarked;

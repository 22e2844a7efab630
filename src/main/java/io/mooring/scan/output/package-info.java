/** What a scan makes of decoded units: columnar batches, filtered or aggregated. */
@NullMarked
package io.mooring.scan.output;

import org.jspecify.annotations.NullMarked;

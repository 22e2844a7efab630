/** Row groups and pages that need not be read, by what a file says of the values in them. */
@NullMarked
package io.mooring.parquet.prune;

import org.jspecify.annotations.NullMarked;

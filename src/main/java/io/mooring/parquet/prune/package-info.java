/** Row groups and pages that cannot hold a wanted row, ruled out by the file's metadata. */
@NullMarked
package io.mooring.parquet.prune;

import org.jspecify.annotations.NullMarked;

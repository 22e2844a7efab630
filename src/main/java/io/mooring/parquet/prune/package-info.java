/** Pruning of row groups and pages by the file's metadata. */
@NullMarked
package io.mooring.parquet.prune;

import org.jspecify.annotations.NullMarked;

/** Filters by which row groups and pages are pruned. */
@NullMarked
package io.mooring.scan.prune;

import org.jspecify.annotations.NullMarked;

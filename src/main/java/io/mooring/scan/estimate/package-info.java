/** Estimates of how many values columns have, by footers. */
@NullMarked
package io.mooring.scan.estimate;

import org.jspecify.annotations.NullMarked;

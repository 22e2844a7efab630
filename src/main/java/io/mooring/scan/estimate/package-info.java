/** Estimates of rows and of values of columns, by footers. */
@NullMarked
package io.mooring.scan.estimate;

import org.jspecify.annotations.NullMarked;

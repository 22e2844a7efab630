/** Turns decoded device columns into Spark column vectors over pinned memory. */
@NullMarked
package io.mooring.columnar;

import org.jspecify.annotations.NullMarked;

/** Evaluation of pushed-down filters and aggregates on device columns, by cudf. */
@NullMarked
package io.mooring.pushdown.device;

import org.jspecify.annotations.NullMarked;

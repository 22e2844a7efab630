/** Evaluation of expressions on device columns by cudf. */
@NullMarked
package io.mooring.expr.device;

import org.jspecify.annotations.NullMarked;

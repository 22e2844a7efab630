/** Compilation of conditions to cudf's AST, which evaluates each in one kernel. */
@NullMarked
package io.mooring.pushdown.device.ast;

import org.jspecify.annotations.NullMarked;

/** The operators of a stage in the form in which they travel to executors. */
@NullMarked
package io.mooring.stage.program;

import org.jspecify.annotations.NullMarked;

/** What a stage does with the rows of its scan, in the form in which it travels to executors. */
@NullMarked
package io.mooring.stage.program;

import org.jspecify.annotations.NullMarked;

/** The task of a stage: its operators over the units of its scan. */
@NullMarked
package io.mooring.stage.task;

import org.jspecify.annotations.NullMarked;

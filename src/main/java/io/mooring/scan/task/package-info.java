/** The loop of a scan's task: units in order, late materialization, failures. */
@NullMarked
package io.mooring.scan.task;

import org.jspecify.annotations.NullMarked;

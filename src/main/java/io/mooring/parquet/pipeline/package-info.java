/** Runs the units of a task: admits them to the device, reads ahead, and decodes them in order. */
@NullMarked
package io.mooring.parquet.pipeline;

import org.jspecify.annotations.NullMarked;

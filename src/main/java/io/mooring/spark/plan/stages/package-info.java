/** Stages in the place of supported operators over scans of Mooring. */
@NullMarked
package io.mooring.spark.plan.stages;

import org.jspecify.annotations.NullMarked;

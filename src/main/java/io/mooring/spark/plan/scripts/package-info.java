/** The rows that scripts of {@code TRANSFORM ... USING} read. */
@NullMarked
package io.mooring.spark.plan.scripts;

import org.jspecify.annotations.NullMarked;

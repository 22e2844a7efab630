/** Aggregates that one task computes, without exchanges of partial groups. */
@NullMarked
package io.mooring.spark.plan.aggregates;

import org.jspecify.annotations.NullMarked;

/** Scalar sub-queries of one relation, merged into one aggregate. */
@NullMarked
package io.mooring.spark.plan.subqueries;

import org.jspecify.annotations.NullMarked;

/** Reasons, in EXPLAIN, why scans are not Mooring's. */
@NullMarked
package io.mooring.spark.plan.explain;

import org.jspecify.annotations.NullMarked;

/** Spark's plans rewritten: which scans are Mooring's, with a reason where not. */
@NullMarked
package io.mooring.spark.plan;

import org.jspecify.annotations.NullMarked;

/**
 * The rewriting of Spark's plans: which scans are Mooring's, and the reasons where they are not.
 */
@NullMarked
package io.mooring.spark.plan;

import org.jspecify.annotations.NullMarked;

/** Choosing the files of Delta tables for all scans of a query at a time. */
@NullMarked
package io.mooring.spark.plan.delta;

import org.jspecify.annotations.NullMarked;

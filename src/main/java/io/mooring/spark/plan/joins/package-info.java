/** Joins without an exchange: the choice of build sides that executors read. */
@NullMarked
package io.mooring.spark.plan.joins;

import org.jspecify.annotations.NullMarked;

/** Spark's predicates and aggregates, evaluated on the GPU, or on rows that Spark has read. */
@NullMarked
package io.mooring.pushdown;

import org.jspecify.annotations.NullMarked;

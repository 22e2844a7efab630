/** Filters and aggregates that a scan evaluates: description, translation, evaluation on rows. */
@NullMarked
package io.mooring.pushdown;

import org.jspecify.annotations.NullMarked;

/** Filters, projections, joins and partial aggregates over device columns. */
@NullMarked
package io.mooring.stage.device;

import org.jspecify.annotations.NullMarked;

/**
 * Build sides of joins that every executor reads itself, in the place of a broadcast's exchange.
 */
@NullMarked
package io.mooring.stage.replicated;

import org.jspecify.annotations.NullMarked;

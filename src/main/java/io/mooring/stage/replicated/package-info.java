/** Build sides of joins that every executor reads itself, instead of a broadcast. */
@NullMarked
package io.mooring.stage.replicated;

import org.jspecify.annotations.NullMarked;

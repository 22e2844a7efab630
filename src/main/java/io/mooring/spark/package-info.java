/** The plugin on driver and executors, and the extensions of sessions. */
@NullMarked
package io.mooring.spark;

import org.jspecify.annotations.NullMarked;

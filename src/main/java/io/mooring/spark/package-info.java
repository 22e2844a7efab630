/** What Spark loads: the plugin's driver and executor side, and the session extensions. */
@NullMarked
package io.mooring.spark;

import org.jspecify.annotations.NullMarked;

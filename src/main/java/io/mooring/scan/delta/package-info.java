/** Files of Delta Lake's tables, through its classes found by name. */
@NullMarked
package io.mooring.scan.delta;

import org.jspecify.annotations.NullMarked;

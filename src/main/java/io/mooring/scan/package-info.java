/** The data source of format `mooring`: table, scan, partitions and readers. */
@NullMarked
package io.mooring.scan;

import org.jspecify.annotations.NullMarked;

/** The driver's way from files to partitions: file indexes, partition pruning, splits. */
@NullMarked
package io.mooring.scan.split;

import org.jspecify.annotations.NullMarked;

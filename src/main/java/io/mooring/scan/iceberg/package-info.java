/** Files and rows of Iceberg's tables, through its classes found by name. */
@NullMarked
package io.mooring.scan.iceberg;

import org.jspecify.annotations.NullMarked;

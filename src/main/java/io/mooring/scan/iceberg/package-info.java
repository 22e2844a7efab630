/** What Iceberg knows of its tables' files and rows, by the names of its classes. */
@NullMarked
package io.mooring.scan.iceberg;

import org.jspecify.annotations.NullMarked;

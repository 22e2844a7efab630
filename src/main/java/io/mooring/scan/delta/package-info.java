/** What Delta Lake knows of the files of its tables, by the names of its classes. */
@NullMarked
package io.mooring.scan.delta;

import org.jspecify.annotations.NullMarked;

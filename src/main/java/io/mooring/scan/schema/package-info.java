/** The columns of a table as its files have them. */
@NullMarked
package io.mooring.scan.schema;

import org.jspecify.annotations.NullMarked;

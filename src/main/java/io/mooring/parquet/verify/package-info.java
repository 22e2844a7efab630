/** Checks of pages while their bytes are read, before a GPU decodes them. */
@NullMarked
package io.mooring.parquet.verify;

import org.jspecify.annotations.NullMarked;

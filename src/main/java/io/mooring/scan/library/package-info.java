/** Calls of libraries that need not be there, by names. */
@NullMarked
package io.mooring.scan.library;

import org.jspecify.annotations.NullMarked;

/** The GPU of this process: whether it may be used, its start-up and its loss. */
@NullMarked
package io.mooring.gpu;

import org.jspecify.annotations.NullMarked;

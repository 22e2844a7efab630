/** The physical node that runs a part of a query stage on the GPU, and its RDD. */
@NullMarked
package io.mooring.stage;

import org.jspecify.annotations.NullMarked;

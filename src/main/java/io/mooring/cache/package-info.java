/** Column chunks that were read last, encoded, in pinned memory that nothing else needs. */
@NullMarked
package io.mooring.cache;

import org.jspecify.annotations.NullMarked;

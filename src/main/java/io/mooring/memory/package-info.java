/** The pinned pool as Java sees it: buffers, fallback and statistics. Knows no Spark. */
@NullMarked
package io.mooring.memory;

import org.jspecify.annotations.NullMarked;

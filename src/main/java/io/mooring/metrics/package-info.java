/** What the pool tells the outside: flight recorder events. Knows no Spark. */
@NullMarked
package io.mooring.metrics;

import org.jspecify.annotations.NullMarked;

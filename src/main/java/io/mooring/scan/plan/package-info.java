/** Plans on executors of what is read of a file, made from its footer. */
@NullMarked
package io.mooring.scan.plan;

import org.jspecify.annotations.NullMarked;

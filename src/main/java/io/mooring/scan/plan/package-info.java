/** What an executor reads of a file, planned from its footer. */
@NullMarked
package io.mooring.scan.plan;

import org.jspecify.annotations.NullMarked;

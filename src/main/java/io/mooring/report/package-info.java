/** Reports of executors to the driver and the event log, and advice from them. */
@NullMarked
package io.mooring.report;

import org.jspecify.annotations.NullMarked;

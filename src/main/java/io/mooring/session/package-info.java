/** A session as the driver sees it: settings, and which GPUs executors have. */
@NullMarked
package io.mooring.session;

import org.jspecify.annotations.NullMarked;

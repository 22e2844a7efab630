/** What the driver reads of a session: settings, and which GPUs executors have. */
@NullMarked
package io.mooring.session;

import org.jspecify.annotations.NullMarked;

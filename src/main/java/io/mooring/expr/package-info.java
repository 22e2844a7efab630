/**
 * Catalyst expressions that stages evaluate on the GPU: what is supported, and the form in which
 * they travel.
 */
@NullMarked
package io.mooring.expr;

import org.jspecify.annotations.NullMarked;

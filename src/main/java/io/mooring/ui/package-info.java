/** The tab of Mooring in the UIs of applications and history servers. */
@NullMarked
package io.mooring.ui;

import org.jspecify.annotations.NullMarked;

/** What Spark's UI shows of Mooring: reports of executors, the tab over them, and advice. */
@NullMarked
package io.mooring.ui;

import org.jspecify.annotations.NullMarked;

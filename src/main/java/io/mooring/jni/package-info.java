/** Every native method of the project, and how the libraries behind them are loaded. */
@NullMarked
package io.mooring.jni;

import org.jspecify.annotations.NullMarked;

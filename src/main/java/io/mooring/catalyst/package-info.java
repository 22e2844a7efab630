/** Catalyst's trees and Scala's collections, as Java code uses them. */
@NullMarked
package io.mooring.catalyst;

import org.jspecify.annotations.NullMarked;

/** Every setting: key, meaning, default and check. Knows no Spark. */
@NullMarked
package io.mooring.conf;

import org.jspecify.annotations.NullMarked;

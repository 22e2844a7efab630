/**
 * Checks pages while their bytes come in, before anything decodes them; knows the footer's words
 * and bytes, neither units nor buffers.
 */
@NullMarked
package io.mooring.parquet.verify;

import org.jspecify.annotations.NullMarked;

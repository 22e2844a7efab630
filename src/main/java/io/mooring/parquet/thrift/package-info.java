/** A hardened reader of Thrift's compact protocol, in which Parquet writes its metadata. */
@NullMarked
package io.mooring.parquet.thrift;

import org.jspecify.annotations.NullMarked;

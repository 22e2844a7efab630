package io.mooring.parquet.read;

import io.mooring.parquet.source.FileRange;
import io.mooring.parquet.verify.SliceVerification;

/**
 * What one I/O thread reads of a piece at a time: small enough to stay in its core's cache until it
 * is verified, and for several threads to fill one piece.
 *
 * @param verification of just these bytes
 */
record PieceSlice(UploadPiece piece, FileRange range, SliceVerification verification) {}

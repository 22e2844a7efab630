package io.mooring.cache;

/** A column chunk of a file, in whatever state the file is. */
record ChunkName(String path, long start) {}

package io.mooring.gpu;

/**
 * A device that has come up.
 *
 * @param number CUDA's
 * @param name for people
 * @param bytes of its memory that scans may take
 * @param uploadStream the CUDA stream that all copies to it go through
 */
record StartedDevice(int number, String name, long bytes, long uploadStream) {}

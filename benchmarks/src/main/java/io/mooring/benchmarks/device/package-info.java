/** Conversations with the native program that has the GPUs. */
package io.mooring.benchmarks.device;

/** Mooring's pipeline from files into GPU memory without Spark, beside the limits of each stage. */
package io.mooring.benchmarks.pipeline;

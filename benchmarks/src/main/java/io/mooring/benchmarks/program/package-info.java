/** Native programs that measure, and what the commands around them have in common. */
package io.mooring.benchmarks.program;

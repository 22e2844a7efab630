/** Options, messages and progress that all commands share. */
package io.mooring.benchmarks.cli;

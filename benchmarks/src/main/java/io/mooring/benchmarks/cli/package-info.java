/** What all commands share: options, messages to the user, progress. */
package io.mooring.benchmarks.cli;

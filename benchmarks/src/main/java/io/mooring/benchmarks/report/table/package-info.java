/** Tables of a report, for the console and for pages. */
package io.mooring.benchmarks.report.table;

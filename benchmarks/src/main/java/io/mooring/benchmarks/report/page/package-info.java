/** The files of a report: page, runs, and their folder. */
package io.mooring.benchmarks.report.page;

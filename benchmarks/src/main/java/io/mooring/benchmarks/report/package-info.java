/** A report as data: runs, figures computed from them, versions. */
package io.mooring.benchmarks.report;

/** Charts as SVG. */
package io.mooring.benchmarks.report.chart;

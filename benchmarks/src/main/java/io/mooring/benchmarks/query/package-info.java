/** Queries of {@code scan}: the harness's, the standard suites', the user's. */
package io.mooring.benchmarks.query;

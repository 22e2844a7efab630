/** TPC-H and TPC-DS: the queries out of Spark's test jar, the data from their public generators. */
package io.mooring.benchmarks.suite;

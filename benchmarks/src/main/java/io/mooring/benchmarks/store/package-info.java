/** An S3 store on this machine whose latency and bandwidth are chosen. */
package io.mooring.benchmarks.store;

/** Tables that queries read: generated or the user's. */
package io.mooring.benchmarks.data;

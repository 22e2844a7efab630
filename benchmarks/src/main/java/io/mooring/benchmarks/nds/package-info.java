/**
 * The suite {@code nds}: six queries in the shapes of TPC-DS, and the tables under them. NDS is the
 * name that such derived, unofficial versions of TPC-DS go by.
 */
package io.mooring.benchmarks.nds;

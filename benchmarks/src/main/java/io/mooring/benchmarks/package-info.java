/**
 * The benchmark harness: {@code ./benchmarks/run COMMAND}. One package per command ({@code scan});
 * {@code worker} runs queries in a JVM of their own, {@code stats} turns runs into figures, {@code
 * report} writes them, {@code env} says where they were measured.
 */
package io.mooring.benchmarks;

/**
 * The benchmark harness: {@code ./benchmarks/run COMMAND}. One package per command ({@code scan},
 * {@code pool}, {@code transfer} and so on) above those that several share: {@code worker} runs
 * queries in a JVM of their own, {@code device} talks to the native program, {@code stats} turns
 * runs into figures, {@code report} writes them, {@code env} says where they were measured.
 */
package io.mooring.benchmarks;

package io.mooring.conformance;

/**
 * A query.
 *
 * @param ordered whether the order of its rows is part of the answer
 */
record Statement(String sql, boolean ordered) {}

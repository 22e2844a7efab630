package io.mooring.conformance;

/**
 * A query.
 *
 * @param ordered whether the order of its rows is part of the answer
 * @param asUsersDo run with all that Spark does around a query, not only what makes the answer
 */
record Statement(String sql, boolean ordered, boolean asUsersDo) {}

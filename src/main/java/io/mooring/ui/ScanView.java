package io.mooring.ui;

import java.util.List;

/**
 * A file scan of a query, as the tab shows it. Immutable.
 *
 * @param why the reasons for what did not run on the GPU
 * @param figures its metrics that are not zero, each with its name
 * @param plan the scan's line of the plan
 */
record ScanView(String name, Engine engine, List<String> why, List<String> figures, String plan) {}

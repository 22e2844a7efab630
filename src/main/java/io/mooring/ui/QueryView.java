package io.mooring.ui;

import java.util.List;

/**
 * A query with its Parquet scans, as the tab shows it. Immutable.
 *
 * @param others its operators that are no scans: they run on Spark's rows
 */
record QueryView(
    long id, String description, String status, List<ScanView> scans, List<String> others) {}

package io.mooring.parquet.read;

/** What all scans on one device share. */
public record ScanResources(IoThreads threads, DeviceAdmission admission, DecodeMonitor watch) {}

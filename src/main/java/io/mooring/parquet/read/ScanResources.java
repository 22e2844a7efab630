package io.mooring.parquet.read;

/** The resources that all scans on one device share. */
public record ScanResources(IoThreads threads, DeviceAdmission admission, DecodeMonitor monitor) {}

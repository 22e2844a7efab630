package io.mooring.parquet;

/** What all scans on one device share. */
public record ScanResources(IoThreads threads, DeviceAdmission admission, DecodeWatch watch) {}

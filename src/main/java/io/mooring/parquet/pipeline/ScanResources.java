package io.mooring.parquet.pipeline;

import io.mooring.parquet.upload.IoThreads;

/** What all scans on one device share. */
public record ScanResources(IoThreads threads, DeviceAdmission admission, DecodeWatch watch) {}

package io.mooring.conf;

import static io.mooring.conf.ConfEntry.entry;
import static io.mooring.conf.ConfType.autoOr;
import static io.mooring.conf.ConfType.numberIn;

import java.util.OptionalLong;

/** Settings of how scans read, upload and decode. */
public final class ScanEntries {
  public static final ConfEntry<OptionalLong> IO_THREADS =
      entry("scan.ioThreads", autoOr(numberIn(1, 1024)))
          .doc(
              "Threads that read files into host buffers. `auto` takes one for each core, at least "
                  + AutoDefaults.MIN_IO_THREADS
                  + " and at most "
                  + AutoDefaults.MAX_IO_THREADS
                  + ". They are divided among several GPUs, at least one each.")
          .defaultsTo("auto");

  public static final ConfEntry<OptionalLong> STORE_REQUESTS =
      entry("scan.storeRequests", autoOr(numberIn(1, 4096)))
          .doc(
              "Most requests for data that are under way at object stores at a time, each"
                  + " of up to 16 MiB and on a thread of its own. `auto` takes "
                  + AutoDefaults.STORE_REQUESTS
                  + " for S3A, ABFS, GCS and every other file system but local ones and HDFS,"
                  + " whose files `spark.mooring.scan.ioThreads` read. Requests hold at most half"
                  + " of the pool. They are divided among several GPUs, at least one each.")
          .defaultsTo("auto");

  public static final ConfEntry<Long> PARTITION_SIZE =
      entry("scan.partitionSize", ConfType.SIZE)
          .doc(
              "Most file bytes that one task reads. Tables are spread evenly over the"
                  + " cores; beyond this size each core gets several tasks. If"
                  + " `spark.sql.files.maxPartitionBytes` is set, or there is no GPU, tasks are"
                  + " planned as Spark plans them.")
          .atRuntime()
          .defaultsTo("1g");

  public static final ConfEntry<String> LOCALITY =
      entry("scan.locality", ConfType.oneOf("never", "remote", "always"))
          .doc(
              "Whether the tasks of a file prefer the executor that has read it before, by"
                  + " consistent hashing over the executors: for no file, for `remote` files,"
                  + " which are neither local nor in HDFS, or for all files. Pays if several executors"
                  + " cache column chunks, and `spark.locality.wait` is short: a task whose executor"
                  + " is busy waits for it so long, 3 s by default, which is why it is off.")
          .atRuntime()
          .defaultsTo("never");

  public static final ConfEntry<Long> BATCH_SIZE =
      entry("scan.batchSize", ConfType.SIZE)
          .doc(
              "Target for the decoded bytes of a unit, which is read, uploaded and decoded"
                  + " as one; at most `spark.mooring.scan.decodeSize`. A row group is never"
                  + " divided between units.")
          .defaultsTo("1g");

  public static final ConfEntry<Long> DECODE_SIZE =
      entry("scan.decodeSize", ConfType.SIZE)
          .doc(
              "Most bytes that are decoded at a time. A row group that is expected to give"
                  + " more is read and uploaded as one, but decoded in chunks of about this size,"
                  + " which need less of the GPU's memory. If it has arrays, maps, deltas or Zstd"
                  + " pages of version 2, its pages are still decompressed all at once; if it has"
                  + " any of these or structs, it is copied through pageable host memory of its"
                  + " size. If it has strings in the encoding DELTA_BYTE_ARRAY, it is decoded as"
                  + " one. `0` sets no limit. If device memory does not suffice for a row group,"
                  + " it is decoded in small chunks whatever the setting says.")
          .defaultsTo("0");

  public static final ConfEntry<Long> COALESCE_SIZE =
      entry("scan.coalesceSize", ConfType.SIZE)
          .doc(
              "Small files of a task are read, uploaded and decoded together up to this many"
                  + " decoded bytes; 0 decodes each file by itself.")
          .defaultsTo("512m");

  public static final ConfEntry<Long> MERGE_DISTANCE =
      entry("scan.mergeDistance", ConfType.SIZE)
          .doc("Column chunks that are at most this far apart in a file are read together.")
          .defaultsTo("64k");

  public static final ConfEntry<Boolean> SKIP_PAGES =
      entry("scan.skipPages", ConfType.FLAG)
          .doc(
              "Whether pages in which no row passes the filter are left unread, in files"
                  + " with a page index. Pages are not skipped either if"
                  + " `parquet.filter.columnindex.enabled` is false, which also keeps page"
                  + " indexes from ruling out row groups.")
          .defaultsTo("true");

  public static final ConfEntry<String> VERIFY_PAGES =
      entry("scan.verifyPages", ConfType.oneOf("checksums", "structure", "none"))
          .doc(
              "How pages are verified before the GPU decodes them: damaged pages can keep a"
                  + " GPU busy for ever, or cost the executor its GPU. `checksums` checks page"
                  + " headers and, in pages that have a checksum, every byte; `structure` checks"
                  + " headers only. Both also detect pages that consist of several compressed"
                  + " streams, of which the GPU may read only the first. Files that fail a check"
                  + " are left to Spark's reader.")
          .defaultsTo("checksums");

  public static final ConfEntry<Boolean> CAST_TYPES =
      entry("scan.castTypes", ConfType.FLAG)
          .doc(
              "Whether the GPU decodes and casts columns that are narrower in a file than"
                  + " in the table, unsigned, or marked as JSON, BSON or an enumeration. When"
                  + " false Spark's reader reads files with such columns.")
          .defaultsTo("true");

  private ScanEntries() {}
}

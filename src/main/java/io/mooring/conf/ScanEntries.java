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
              "Most requests for data that are under way at object stores, each of up to 16 MiB"
                  + " and on a thread of its own. `auto` takes "
                  + AutoDefaults.STORE_REQUESTS
                  + " for S3A, ABFS, GCS and whatever"
                  + " else is neither local nor HDFS, whose files are read by"
                  + " `spark.mooring.scan.ioThreads`. Half of the pool is the most that they hold."
                  + " They are divided among several GPUs, at least one each.")
          .defaultsTo("auto");

  public static final ConfEntry<Long> PARTITION_SIZE =
      entry("scan.partitionSize", ConfType.SIZE)
          .doc(
              "Most file bytes that one task reads. Tables are spread evenly over the cores; beyond"
                  + " this size each core gets several tasks. Where"
                  + " `spark.sql.files.maxPartitionBytes` is set, or there is no GPU, tasks are"
                  + " planned as Spark plans them.")
          .atRuntime()
          .defaultsTo("1g");

  public static final ConfEntry<String> LOCALITY =
      entry("scan.locality", ConfType.oneOf("never", "remote", "always"))
          .doc(
              "Whether the tasks of a file prefer the executor that has read it before, by"
                  + " consistent hashing over the executors: for `remote` files, which is whatever"
                  + " is neither local nor HDFS, or for all of them. Worth it where executors keep"
                  + " something of files; a task whose executor is busy waits up to"
                  + " `spark.locality.wait` for it.")
          .atRuntime()
          .defaultsTo("never");

  public static final ConfEntry<Long> BATCH_SIZE =
      entry("scan.batchSize", ConfType.SIZE)
          .doc(
              "Decoded bytes aimed at in what is read, uploaded and decoded as one, at most"
                  + " `spark.mooring.scan.decodeSize`. A row group is never read in parts.")
          .defaultsTo("1g");

  public static final ConfEntry<Long> DECODE_SIZE =
      entry("scan.decodeSize", ConfType.SIZE)
          .doc(
              "Decoded bytes that are made at a time. A row group that is expected to give more is"
                  + " read and uploaded as one, but decoded in chunks of about this size, which"
                  + " need less of the GPU's memory. Where it has arrays, maps, deltas or Zstd"
                  + " pages of version 2, its pages are still decompressed all at once; where it"
                  + " has any of these or structs, it is copied through pageable host memory of its"
                  + " size. With strings in the encoding DELTA_BYTE_ARRAY it is decoded as one. `0`"
                  + " sets no bound. Where device memory does not suffice for a row group, it is"
                  + " decoded in small chunks whatever this says.")
          .defaultsTo("0");

  public static final ConfEntry<Long> COALESCE_SIZE =
      entry("scan.coalesceSize", ConfType.SIZE)
          .doc(
              "Small files of a task are read, uploaded and decoded together up to this many"
                  + " decoded bytes; 0 decodes each file by itself.")
          .defaultsTo("512m");

  public static final ConfEntry<Long> MERGE_DISTANCE =
      entry("scan.mergeDistance", ConfType.SIZE)
          .doc("Column chunks at most this far apart in a file are read as one.")
          .defaultsTo("64k");

  public static final ConfEntry<Boolean> SKIP_PAGES =
      entry("scan.skipPages", ConfType.FLAG)
          .doc(
              "Whether pages are left unread in which no row passes the filter, in files with a"
                  + " page index. Not done either where `parquet.filter.columnindex.enabled` is"
                  + " false, which also keeps page indexes from ruling out row groups.")
          .defaultsTo("true");

  public static final ConfEntry<String> VERIFY_PAGES =
      entry("scan.verifyPages", ConfType.oneOf("checksums", "structure", "none"))
          .doc(
              "What of pages is verified before the GPU decodes them, while they are read: damaged"
                  + " pages can keep a GPU busy for ever, or cost the executor its GPU."
                  + " `checksums` looks at headers and, in pages that have a checksum, at every"
                  + " byte; `structure` at headers only. Both also see pages that are several"
                  + " compressed streams, of which the GPU may read the first alone. What does not"
                  + " fit is left to Spark's reader.")
          .defaultsTo("checksums");

  public static final ConfEntry<Boolean> CAST_TYPES =
      entry("scan.castTypes", ConfType.FLAG)
          .doc(
              "Whether columns that a file has narrower than the table, unsigned, or marked as"
                  + " JSON, BSON or an enumeration are decoded on the GPU, and cast there. Files"
                  + " with such columns are otherwise read by Spark's reader.")
          .defaultsTo("true");

  private ScanEntries() {}
}

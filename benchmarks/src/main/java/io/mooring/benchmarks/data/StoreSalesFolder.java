package io.mooring.benchmarks.data;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.worker.Request;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * The generated data set of one table, store_sales, in its folder.
 *
 * @param path the folder
 * @param size about how large the files are together
 * @param seed of every value
 * @param cores processors of this machine: there are at least two files for each, where that leaves
 *     files worth reading
 * @param rows of a file; chosen by size and cores where it is empty
 * @param codec Parquet's name of the compression
 */
public record StoreSalesFolder(
    Path path, ByteSize size, long seed, int cores, OptionalInt rows, String codec) {

  /** The marker of a finished folder; the file's name hides it from Spark. */
  public record Marker(int version, long sizeBytes, long seed, long rows, int rowsPerFile) {}

  private static final String MARKER = "_mooring-store-sales.json";
  private static final List<Integer> ROWS_PER_FILE =
      List.of(StoreSales.BLOCK_ROWS, 1_000_000, 500_000, 250_000, 100_000, 50_000, 25_000, 10_000);

  /** Snappy files of as many rows as suit the machine. */
  public StoreSalesFolder(Path path, ByteSize size, long seed, int cores) {
    this(path, size, seed, cores, OptionalInt.empty(), "snappy");
  }

  /** The same data set in files of so many rows. */
  public StoreSalesFolder withRowsPerFile(int rowsPerFile) {
    return new StoreSalesFolder(path, size, seed, cores, OptionalInt.of(rowsPerFile), codec);
  }

  /** The same data set in files of about this size, at most of as many rows as a block has. */
  public StoreSalesFolder withFilesOf(ByteSize fileSize) {
    long fitting = (fileSize.bytes() + StoreSales.BYTES_PER_ROW - 1) / StoreSales.BYTES_PER_ROW;
    return withRowsPerFile((int) Math.max(1000, Math.min(StoreSales.BLOCK_ROWS, fitting)));
  }

  /** The same data set with another codec. */
  public StoreSalesFolder withCodec(String other) {
    return new StoreSalesFolder(path, size, seed, cores, rows, other);
  }

  /** True when the folder holds the data set already; false when it has to be generated. */
  public boolean isComplete() {
    return folder().holds(Marker.class, this::isWanted);
  }

  /** Generates the data set with the given worker request. */
  public void generate(Consumer<Request.Generate> writer) {
    Marker marker = wanted();
    folder()
        .fill(
            marker,
            partial ->
                writer.accept(
                    new Request.Generate(
                        partial.toUri().toString(),
                        marker.rows(),
                        seed,
                        marker.rowsPerFile(),
                        codec)));
  }

  /** The marker of the data set that is asked for. */
  public Marker wanted() {
    long all = Math.max(1000, size.bytes() / StoreSales.BYTES_PER_ROW);
    return new Marker(
        StoreSales.VERSION, size.bytes(), seed, all, rows.orElse(rowsPerFile(all, cores)));
  }

  private boolean isWanted(Marker found) {
    return found.version() == StoreSales.VERSION
        && found.sizeBytes() == size.bytes()
        && found.seed() == seed
        && (rows.isEmpty() || rows.getAsInt() == found.rowsPerFile());
  }

  private GeneratedFolder folder() {
    return new GeneratedFolder(path, size, MARKER);
  }

  /** The most rows of a file that leave two files for each core, and files worth reading. */
  static int rowsPerFile(long all, int cores) {
    int smallest = ROWS_PER_FILE.get(ROWS_PER_FILE.size() - 1);
    return ROWS_PER_FILE.stream().filter(n -> all / n >= 2L * cores).findFirst().orElse(smallest);
  }
}

package io.mooring.benchmarks.scan;

import io.mooring.benchmarks.cli.ByteSize;
import io.mooring.benchmarks.nds.NdsData;
import io.mooring.benchmarks.worker.Request;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The generated tables of the suite nds: a folder of folders.
 *
 * @param path the outer folder
 * @param size about how large the files are together
 * @param seed of every value
 * @param cores processors of this machine: there are two files for each, where that leaves files
 *     worth reading
 */
record NdsFolder(Path path, ByteSize size, long seed, int cores) {

  /** What a finished folder holds. */
  record Marker(int version, long sizeBytes, long seed, long sales) {}

  private static final long LEAST_SALES = 10_000;

  /** True when the folder holds the tables already; false when they have to be generated. */
  boolean isComplete() {
    return folder().holds(Marker.class, marker()::equals);
  }

  /** Generates the tables with the given worker request. */
  void generate(Consumer<Request.GenerateNds> writer) {
    long sales = sales();
    int rowsPerFile = StoreSalesFolder.rowsPerFile(sales, cores);
    folder()
        .fill(
            marker(),
            partial ->
                writer.accept(
                    new Request.GenerateNds(partial.toUri().toString(), sales, seed, rowsPerFile)));
  }

  /** Rows of store_sales. */
  long sales() {
    return Math.max(LEAST_SALES, size.bytes() / NdsData.BYTES_PER_SALE);
  }

  /** The files of each table. */
  Tables tables() {
    Map<String, InputFiles> files = new LinkedHashMap<>();
    NdsData.names().forEach(name -> files.put(name, InputFiles.in(path.resolve(name))));
    return new Tables(files);
  }

  private Marker marker() {
    return new Marker(NdsData.VERSION, size.bytes(), seed, sales());
  }

  private GeneratedFolder folder() {
    return new GeneratedFolder(path, size, "_mooring-nds.json");
  }
}

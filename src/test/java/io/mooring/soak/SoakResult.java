package io.mooring.soak;

import java.util.stream.LongStream;

/**
 * What one process of the soak saw.
 *
 * @param right queries with Spark's own rows
 * @param wrong queries with others
 * @param lost queries that failed though nobody cancelled them
 * @param cancelled queries that were cancelled
 * @param blocks buffers taken beside the queries and given back
 * @param bytesInUseAtTheEnd of the pool
 * @param residentEarly bytes, median of the second quarter of the time
 * @param residentLate the same of the last quarter
 */
record SoakResult(
    long right,
    long wrong,
    long lost,
    long cancelled,
    long blocks,
    long bytesInUseAtTheEnd,
    long residentEarly,
    long residentLate) {
  static final String MARK = "soak ";

  /** Before resident memory over time. */
  static final String RESIDENT = "resident MiB ";

  static SoakResult parse(String line) {
    String[] n = line.substring(MARK.length()).split(" ");
    long[] v = LongStream.range(0, n.length).map(i -> Long.parseLong(n[(int) i])).toArray();
    return new SoakResult(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
  }

  String line() {
    return MARK
        + String.join(
            " ",
            LongStream.of(
                    right,
                    wrong,
                    lost,
                    cancelled,
                    blocks,
                    bytesInUseAtTheEnd,
                    residentEarly,
                    residentLate)
                .mapToObj(Long::toString)
                .toList());
  }
}

package io.mooring.clients;

import java.util.List;

/** A client of Spark with sessions of its own, to which SQL is typed. */
interface SqlClient extends AutoCloseable {
  /**
   * The rows of a statement, with tabs between the columns.
   *
   * @param session which session runs it; the first statement opens one
   * @throws SqlFailure what the client tells when Spark fails
   */
  List<String> sql(int session, String statement) throws Exception;

  @Override
  default void close() throws Exception {}

  /** An error as a client tells it. */
  final class SqlFailure extends Exception {
    private static final long serialVersionUID = 1;

    SqlFailure(String message) {
      super(message);
    }
  }
}

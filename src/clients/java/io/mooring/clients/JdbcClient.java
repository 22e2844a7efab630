package io.mooring.clients;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Hive's JDBC driver as it comes with Spark, with the jars that it needs and none of the tests'.
 */
final class JdbcClient implements SqlClient {
  private final String url;
  private final URLClassLoader jars;
  private final Driver driver;
  private final Map<Integer, Connection> sessions = new HashMap<>();

  JdbcClient(String url) throws ReflectiveOperationException, IOException {
    this.url = url;
    this.jars = new URLClassLoader(sparkJars(), ClassLoader.getPlatformClassLoader());
    Class<?> type = Class.forName("org.apache.hive.jdbc.HiveDriver", true, jars);
    this.driver = (Driver) type.getConstructor().newInstance();
  }

  private static URL[] sparkJars() throws IOException {
    List<URL> urls = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(ClientHome.sparkJars(), "*.jar")) {
      for (Path file : files) {
        urls.add(file.toUri().toURL());
      }
    }
    return urls.toArray(new URL[0]);
  }

  @Override
  public List<String> sql(int session, String sql) throws Exception {
    if (!sessions.containsKey(session)) {
      sessions.put(session, driver.connect(url, new Properties()));
    }
    try (Statement statement = sessions.get(session).createStatement()) {
      return statement.execute(sql) ? rows(statement.getResultSet()) : List.of();
    } catch (SQLException e) {
      throw new SqlFailure(e.getErrorCode() + " " + e.getSQLState() + " " + firstLine(e));
    }
  }

  /** Without the stack trace of the server, which Hive's driver puts into the message. */
  private static String firstLine(SQLException e) {
    return e.getMessage().lines().findFirst().orElse("");
  }

  private static List<String> rows(ResultSet result) throws SQLException {
    List<String> rows = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    while (result.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        row.add(String.valueOf(result.getObject(i)));
      }
      rows.add(String.join("\t", row));
    }
    return rows;
  }

  @Override
  public void close() throws SQLException, IOException {
    for (Connection session : sessions.values()) {
      session.close();
    }
    jars.close();
  }
}

package io.mooring.clients;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A Python program that runs {@code spark.sql}, in a Spark of its own or through Spark Connect. */
final class PythonClient implements SqlClient {
  private final ObjectMapper json = new ObjectMapper();
  private final BufferedReader answers;
  private final BufferedWriter statements;

  /** Waits until the program answers. */
  PythonClient(Process program) throws IOException {
    this.answers = program.inputReader();
    this.statements = program.outputWriter();
    answer();
  }

  @Override
  public List<String> sql(int session, String statement) throws Exception {
    statements.write(json.writeValueAsString("@" + session + " " + statement) + "\n");
    statements.flush();
    JsonNode answer = answer();
    if (answer.has("error")) {
      throw new SqlFailure(answer.get("error").asText());
    }
    List<String> rows = new ArrayList<>();
    answer.get("rows").forEach(row -> rows.add(row.asText()));
    return rows;
  }

  private JsonNode answer() throws IOException {
    String line = CompletableFuture.supplyAsync(this::line).orTimeout(3, TimeUnit.MINUTES).join();
    return json.readTree(line);
  }

  private String line() {
    try {
      String line = answers.readLine();
      if (line == null) {
        throw new EOFException("The program has ended");
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

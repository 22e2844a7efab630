package io.mooring.ui;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Pages of a server on this machine. */
final class Web {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();

  private Web() {}

  /** The text of a page; an error unless the server says that all is well. */
  static String get(String address) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(60)).build();
    HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException(response.statusCode() + " from " + address + ": " + response.body());
    }
    return response.body();
  }
}

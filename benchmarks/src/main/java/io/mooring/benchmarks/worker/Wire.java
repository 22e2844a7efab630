package io.mooring.benchmarks.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** The protocol's JSON: one message, one line. */
final class Wire {

  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private Wire() {}

  static String line(Request request) {
    return write(request, Request.class);
  }

  static String line(Reply reply) {
    return write(reply, Reply.class);
  }

  static Request request(String line) {
    return read(line, Request.class);
  }

  static Reply reply(String line) {
    return read(line, Reply.class);
  }

  private static <T> String write(T message, Class<T> type) {
    try {
      return JSON.writerFor(type).writeValueAsString(message);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a message: " + message, e);
    }
  }

  private static <T> T read(String line, Class<T> type) {
    try {
      return JSON.readValue(line, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a message: " + line, e);
    }
  }
}

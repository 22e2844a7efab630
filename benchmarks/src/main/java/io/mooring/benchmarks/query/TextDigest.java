package io.mooring.benchmarks.query;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests of texts, which stand for them in files. */
public final class TextDigest {

  private TextDigest() {}

  /** The SHA-256 of a text in UTF-8, in hexadecimal digits. */
  public static String sha256(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      // Every JVM has it.
      throw new IllegalStateException(e);
    }
  }
}

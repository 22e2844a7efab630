package io.mooring.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.util.SerializableConfiguration;
import org.junit.jupiter.api.Test;

class UnsourcedConfigurationTest {
  private final Configuration full = new Configuration();

  UnsourcedConfigurationTest() {
    full.set("fs.test.key", "ünï ${fs.test.other}");
    full.set("fs.test.other", "");
  }

  private static byte[] bytes(Configuration conf) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new SerializableConfiguration(conf));
    }
    return bytes.toByteArray();
  }

  private static Configuration read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return ((SerializableConfiguration) in.readObject()).value();
    }
  }

  @Test
  void sparkReadsAllEntriesOnExecutors() throws Exception {
    Configuration plain = read(bytes(full));
    Configuration read = read(bytes(new UnsourcedConfiguration(full)));
    assertThat(read).containsExactlyInAnyOrderElementsOf(plain).hasSizeGreaterThan(100);
    assertThat(read.get("fs.test.key")).isEqualTo("ünï ");
  }

  @Test
  void namesOfFilesDoNotTravel() throws Exception {
    String source = "a-file-of-the-test.xml";
    full.set("fs.test.key", "value", source);
    Configuration conf = new UnsourcedConfiguration(full);
    assertThat(conf.getPropertySources("fs.test.key")).contains(source);
    assertThat(read(bytes(full)).getPropertySources("fs.test.key")).contains(source);
    assertThat(read(bytes(conf)).getPropertySources("fs.test.key")).doesNotContain(source);
  }

  @Test
  void laterChangesTravelToo() throws Exception {
    Configuration conf = new UnsourcedConfiguration(full);
    conf.set("fs.test.key", "later");
    assertThat(read(bytes(conf)).get("fs.test.key")).isEqualTo("later");
    assertThat(full.get("fs.test.key")).isEqualTo("ünï ");
  }
}

package io.mooring.parquet.footer;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.parquet.format.SchemaElement;
import org.junit.jupiter.api.Test;

class SchemaDepthCheckTest {
  @Test
  void schemasOfAHundredLevelsPassAndDeeperOnesDoNot() throws Exception {
    SchemaElement group = new SchemaElement("g").setNum_children(1);
    FooterReader.SchemaDepthCheck.check(Collections.nCopies(100, group));
    assertThatThrownBy(() -> FooterReader.SchemaDepthCheck.check(Collections.nCopies(101, group)))
        .hasMessageContaining("100 levels");
    // Beside each other they are not deep.
    List<SchemaElement> flat =
        new ArrayList<>(List.of(new SchemaElement("r").setNum_children(500)));
    for (int i = 0; i < 500; i++) {
      flat.addAll(List.of(group, new SchemaElement("leaf")));
    }
    FooterReader.SchemaDepthCheck.check(flat);
  }
}

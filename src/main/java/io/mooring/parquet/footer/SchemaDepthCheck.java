package io.mooring.parquet.footer;

import java.io.IOException;
import java.util.List;
import org.apache.parquet.format.SchemaElement;

/** Bounds how deep the groups of a schema nest: parsers recurse once a level, native ones too. */
final class SchemaDepthCheck {
  // A list takes two levels and a map two; nobody nests fifty of them.
  private static final int MOST = 100;

  private SchemaDepthCheck() {}

  /**
   * Accepts schemas that can be walked recursively.
   *
   * @param schema the elements in depth-first order, as a footer has them
   */
  static void check(List<SchemaElement> schema) throws IOException {
    int[] childrenToCome = new int[MOST + 1];
    int depth = 0;
    for (SchemaElement element : schema) {
      while (depth > 0 && childrenToCome[depth] == 0) {
        depth--;
      }
      childrenToCome[depth]--;
      if (element.getNum_children() > 0) {
        if (depth == MOST) {
          throw new IOException("The schema has more than " + MOST + " levels");
        }
        childrenToCome[++depth] = element.getNum_children();
      }
    }
  }
}

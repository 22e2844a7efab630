package io.mooring.benchmarks.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mooring.benchmarks.store.StoredObjects.Page;
import io.mooring.benchmarks.store.StoredObjects.StoredObject;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * A request of S3's ListObjectsV2, and its response.
 *
 * @param parameters of the request, decoded
 */
record ObjectListing(Map<String, String> parameters) {

  private static final int MOST = 1000;

  /** The listing that a query string asks for. */
  static ObjectListing of(String rawQuery) {
    Map<String, String> parameters = new HashMap<>();
    for (String part : rawQuery.split("&")) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      String value = equals < 0 ? "" : part.substring(equals + 1);
      parameters.put(name, URLDecoder.decode(value, UTF_8));
    }
    return new ObjectListing(parameters);
  }

  /** The response's body. Keys are always encoded, which clients ask for or tell by the element. */
  String answer(String bucket, StoredObjects objects) {
    String token = parameter("continuation-token");
    String after = token.isEmpty() ? parameter("start-after") : key(token);
    int most = Math.min(MOST, Integer.parseInt(parameters.getOrDefault("max-keys", "" + MOST)));
    Page page = objects.list(parameter("prefix"), parameter("delimiter"), after, most);
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    xml.append("<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
    element(xml, "Name", bucket);
    element(xml, "Prefix", encoded(parameter("prefix")));
    element(xml, "EncodingType", "url");
    element(xml, "KeyCount", "" + (page.objects().size() + page.prefixes().size()));
    element(xml, "MaxKeys", "" + most);
    element(xml, "IsTruncated", "" + page.next().isPresent());
    page.next().ifPresent(next -> element(xml, "NextContinuationToken", token(next)));
    page.objects().forEach((key, object) -> contents(xml, key, object));
    page.prefixes().forEach(prefix -> commonPrefix(xml, prefix));
    return xml.append("</ListBucketResult>").toString();
  }

  private static void contents(StringBuilder xml, String key, StoredObject object) {
    xml.append("<Contents>");
    element(xml, "Key", encoded(key));
    Instant modified = Instant.ofEpochMilli(object.modifiedMillis());
    element(xml, "LastModified", modified.truncatedTo(ChronoUnit.SECONDS).toString());
    element(xml, "ETag", object.tag().replace("\"", "&quot;"));
    element(xml, "Size", "" + object.bytes());
    element(xml, "StorageClass", "STANDARD");
    xml.append("</Contents>");
  }

  private static void commonPrefix(StringBuilder xml, String prefix) {
    xml.append("<CommonPrefixes>");
    element(xml, "Prefix", encoded(prefix));
    xml.append("</CommonPrefixes>");
  }

  private static void element(StringBuilder xml, String name, String value) {
    xml.append('<').append(name).append('>').append(value).append("</").append(name).append('>');
  }

  /** The text as in a URL, in which nothing is left that XML would have to escape. */
  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("%2F", "/");
  }

  /** The key in letters that neither XML nor a URL has to escape. */
  private static String token(String key) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(UTF_8));
  }

  private static String key(String token) {
    return new String(Base64.getUrlDecoder().decode(token), UTF_8);
  }

  private String parameter(String name) {
    return parameters.getOrDefault(name, "");
  }
}

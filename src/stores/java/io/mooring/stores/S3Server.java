package io.mooring.stores;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobApiMetadata;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;

/** An S3 server in this process, whose objects are in memory, behind a {@link StoreFront}. */
public final class S3Server implements TestStore {
  public static final String BUCKET = "tables";

  private final BlobStoreContext objects;
  private final S3Proxy proxy;
  private final StoreFront front;

  /** Starts it, with an empty bucket. */
  public S3Server() throws Exception {
    objects =
        ContextBuilder.newBuilder(new TransientNio2BlobApiMetadata())
            .credentials("nobody", "nothing")
            .build(BlobStoreContext.class);
    BlobStore store = objects.getBlobStore();
    store.createContainerInLocation(null, BUCKET);
    proxy =
        S3Proxy.builder()
            .blobStore(store)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.NONE, null, null)
            .build();
    proxy.start();
    front = new StoreFront(URI.create("http://127.0.0.1:" + proxy.getPort()));
  }

  /** What clients talk to. */
  public StoreFront front() {
    return front;
  }

  /** Hadoop's settings of a client that goes through the front. */
  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("fs.s3a.endpoint", "http://127.0.0.1:" + front.port());
    settings.put("fs.s3a.endpoint.region", "us-east-1");
    settings.put("fs.s3a.path.style.access", "true");
    settings.put("fs.s3a.connection.ssl.enabled", "false");
    settings.put("fs.s3a.access.key", "somebody");
    settings.put("fs.s3a.secret.key", "something");
    settings.put("fs.s3a.bucket.probe", "0");
    settings.put("fs.s3a.retry.interval", "5ms");
    settings.put("fs.s3a.retry.throttle.interval", "5ms");
    return settings;
  }

  @Override
  public String address() {
    return "s3a://" + BUCKET;
  }

  /** Whether the client can be given a file's length, so that opening a file takes no request. */
  public static boolean isOpenedWithoutRequest() {
    return !VersionInfo.getVersion().startsWith("3.3.");
  }

  @Override
  public Path put(String name, byte[] bytes) {
    BlobStore store = objects.getBlobStore();
    store.putBlob(
        BUCKET, store.blobBuilder(name).payload(bytes).contentLength(bytes.length).build());
    return new Path(address() + "/" + name);
  }

  @Override
  public void close() throws Exception {
    front.close();
    proxy.stop();
    objects.close();
  }
}

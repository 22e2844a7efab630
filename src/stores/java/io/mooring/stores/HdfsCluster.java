package io.mooring.stores;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;

/** HDFS in this process: a name node and three data nodes on disk, with two replicas of a block. */
public final class HdfsCluster implements TestStore {
  /** The hosts of the data nodes, which listings name. */
  public static final String[] HOSTS = {"node1", "node2", "node3"};

  /** Bytes of a block, of which files of tests have several. */
  public static final int BLOCK_BYTES = 1 << 20;

  private final MiniDFSCluster cluster;

  /**
   * @param folder that is not there yet, for all that the nodes store
   */
  public HdfsCluster(Path folder) throws IOException {
    Configuration conf = configuration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.toString());
    conf.set("dfs.namenode.fs-limits.min-block-size", "512");
    conf.set("dfs.namenode.ec.system.default.policy", "XOR-2-1-1024k");
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(HOSTS.length).hosts(HOSTS).build();
    cluster.waitActive();
    fs().enableErasureCodingPolicy("XOR-2-1-1024k");
  }

  /** Hadoop's settings of a client that gives up a dead data node soon. */
  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("dfs.replication", "2");
    settings.put("dfs.blocksize", String.valueOf(BLOCK_BYTES));
    settings.put("dfs.client.retry.window.base", "5");
    settings.put("dfs.client.socket-timeout", "5000");
    settings.put("ipc.client.connect.max.retries", "2");
    return settings;
  }

  @Override
  public String address() {
    return cluster.getURI().toString();
  }

  /** A client; closed with the cluster. */
  public DistributedFileSystem fs() throws IOException {
    return cluster.getFileSystem();
  }

  @Override
  public org.apache.hadoop.fs.Path put(String name, byte[] bytes) throws IOException {
    var path = new org.apache.hadoop.fs.Path(address() + "/" + name);
    try (FSDataOutputStream out = fs().create(path, true)) {
      out.write(bytes);
    }
    return path;
  }

  /** Stops a data node as if its machine were gone. */
  public DataNodeProperties stopDataNode(int number) {
    return cluster.stopDataNode(number);
  }

  /** Starts a data node again, which is then the last. */
  public void restart(DataNodeProperties stopped) throws IOException {
    cluster.restartDataNode(stopped, true);
    cluster.waitActive();
  }

  /** Damages the first block of a file on some of the data nodes that store it. */
  public void damage(org.apache.hadoop.fs.Path file, int replicas) throws IOException {
    var block = DFSTestUtil.getFirstBlock(fs(), file);
    int damaged = 0;
    for (int node = 0; node < HOSTS.length && damaged < replicas; node++) {
      try {
        cluster.corruptReplica(node, block);
        damaged++;
      } catch (ReplicaNotFoundException e) {
        // This node is the one that does not store the block.
      }
    }
    if (damaged < replicas) {
      throw new IllegalStateException("only " + damaged + " replicas were found");
    }
  }

  @Override
  public void close() throws IOException {
    FileSystem.closeAll();
    cluster.shutdown(true);
  }
}

package io.mooring.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.mooring.conf.MooringConf;
import io.mooring.gpu.GpuRuntime;
import io.mooring.memory.PinnedPool;
import io.mooring.memory.PoolStats;
import io.mooring.metrics.PoolRecording;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.resource.ResourceInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the GPU and the pool of an executor without holding up its start, and shows the pool. */
final class ExecutorComponent implements ExecutorPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(ExecutorComponent.class);

  @Override
  public void init(PluginContext context, Map<String, String> settings) {
    try {
      registerGauges(context.metricRegistry());
      PoolRecording.start();
      GpuRuntime.start(MooringConf.from(settings), assignedDevice(context));
    } catch (RuntimeException | LinkageError e) {
      // An executor without the GPU path still reads everything.
      LOG.warn("Mooring could not start on this executor", e);
    }
  }

  private static OptionalInt assignedDevice(PluginContext context) {
    ResourceInformation gpu = context.resources().get("gpu");
    if (gpu == null || gpu.addresses().length == 0) {
      return OptionalInt.empty();
    }
    String address = gpu.addresses()[0].trim();
    if (!address.matches("\\d{1,9}")) {
      LOG.warn("Spark's GPU address {} is not a number: Mooring takes GPU 0", address);
      return OptionalInt.empty();
    }
    return OptionalInt.of(Integer.parseInt(address));
  }

  private static void registerGauges(MetricRegistry registry) {
    gauge(registry, "pool.capacityBytes", PoolStats::capacityBytes);
    gauge(registry, "pool.bytesInUse", PoolStats::bytesInUse);
    gauge(registry, "pool.cachedBytes", PoolStats::cachedBytes);
    gauge(registry, "pool.highWaterMark", PoolStats::highWaterMark);
    gauge(registry, "pool.allocations", PoolStats::allocations);
    gauge(registry, "pool.fallbackCount", PoolStats::fallbackCount);
    gauge(registry, "pool.fallbackBytes", PoolStats::fallbackBytes);
    gauge(registry, "pool.waitNanos", PoolStats::waitNanos);
  }

  private static void gauge(MetricRegistry registry, String name, ToLongFunction<PoolStats> of) {
    Gauge<Long> gauge = () -> of.applyAsLong(PinnedPool.stats());
    registry.register(name, gauge);
  }
}
